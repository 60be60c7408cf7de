import type { OpenAPIObject } from '@nestjs/swagger';
import { Trawl } from '@app/client';
import { crawlFields } from '../../../../cli/src/commands/crawl-flags.js';
import { pageFields } from '../../../../cli/src/commands/options.js';
import { TOOLS } from '../../../../cli/src/mcp/tools/all-tools.js';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';
import { costText, endpointsOf, type Endpoint } from './endpoints.js';
import { CLIENT_CALLS, CLI_COMMANDS, MCP_TOOLS } from './request-code.js';

describe('the endpoints of the playground', () => {
  let api: StartedApi;
  let endpoints: readonly Endpoint[];
  beforeAll(async () => {
    api = await startTestApi();
    const response = await fetch(`${api.url}/openapi.json`);
    endpoints = endpointsOf((await response.json()) as OpenAPIObject);
  });
  afterAll(() => api.stop());

  const endpoint = (id: string): Endpoint => {
    const found = endpoints.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no endpoint ${id}`);
    return found;
  };

  it('have the fields of the short form', () => {
    const missing = endpoints.flatMap(({ id, fields, short }) =>
      short
        .filter((name) => !fields.some((one) => one.name === name))
        .map((name) => `${id} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('have a field for each of the description', () => {
    const { fields } = endpoint('scrape');
    const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
    expect(kinds).toMatchObject({
      url: 'address',
      formats: 'choices',
      onlyMainContent: 'switch',
      linkStyle: 'choice',
      waitFor: 'number',
      includeTags: 'lines',
      headers: 'pairs',
      actions: 'rows',
      schema: 'json',
      'location.country': 'text',
    });
    expect(fields.find(({ name }) => name === 'blockAds')?.fallback).toBe(true);
    expect(fields.find(({ name }) => name === 'formats')).toMatchObject({
      choices: expect.arrayContaining(['markdown', 'links']),
      columns: [
        { name: 'query', kind: 'text' },
        { name: 'max', kind: 'number' },
        { name: 'rerank', kind: 'switch' },
      ],
      objectType: 'passages',
    });
    expect(fields.find(({ name }) => name === 'url')?.isRequired).toBe(true);
    const names = endpoint('startCrawl').fields.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['maxPages', 'scrapeOptions.formats']));
    // Of two names of a field one is enough.
    expect(names).not.toContain('limit');
  });

  it('have the fields that commands and tools name', () => {
    const named = [
      ...Object.entries(CLI_COMMANDS).map(
        ([id, { arguments: words, options }]) => [id, [...words, ...Object.keys(options)]] as const,
      ),
      ...Object.entries(MCP_TOOLS).map(
        ([id, { arguments: fields }]) => [id, Object.keys(fields)] as const,
      ),
    ];
    const unknown = named.flatMap(([id, names]) => {
      // Not every service has it.
      if (id === 'search') return [];
      const known = new Set(
        endpoint(id).fields.flatMap(({ name, objectType, columns }) => [
          name,
          ...columns.map((column) => `${name}.${objectType}.${column.name}`),
        ]),
      );
      return names.filter((name) => !known.has(name)).map((name) => `${id} ${name}`);
    });
    expect(unknown).toEqual([]);
  });

  it('lack no field that commands and tools have', () => {
    const { scrapeOptions, limit: maxPages, ...crawl } = crawlFields({});
    const sent = {
      scrape: Object.keys(pageFields({})),
      startCrawl: [
        ...Object.keys({ ...crawl, maxPages }),
        ...Object.keys(scrapeOptions ?? {}).map((name) => `scrapeOptions.${name}`),
      ],
    };
    const ofCommands = Object.entries(sent).flatMap(([id, names]) => {
      const mapped = Object.keys(CLI_COMMANDS[id]?.options ?? {});
      return names.filter((name) => !mapped.some((one) => `${one}.`.startsWith(`${name}.`)));
    });
    const ofTools = Object.entries(MCP_TOOLS).flatMap(([id, { name, arguments: mapped }]) => {
      const fields = TOOLS.find((tool) => tool.name === name)?.fields ?? [];
      expect(fields).toEqual(expect.arrayContaining(Object.values(mapped)));
      const known = endpoints.find((one) => one.id === id)?.fields.map((field) => field.name);
      // That of a tool is of its answer.
      return fields.filter((one) => known?.includes(one) && !mapped[one] && one !== 'maxTokens');
    });
    expect([ofCommands, ofTools]).toEqual([[], []]);
  });

  it('are methods of the client', () => {
    const names = Object.values(CLIENT_CALLS).map(({ name }) => name);
    expect(names.filter((name) => !(name in Trawl.prototype))).toEqual([]);
  });

  it('cost what they cost at most', () => {
    expect(costText(endpoint('scrape'), {})).toBe('At most 1 credit.');
    expect(costText(endpoint('startCrawl'), { maxPages: 50 })).toEqual(
      expect.stringMatching(/^At most 50 credits: 1 for each page\. A page that is unchanged /),
    );
    expect(costText(endpoint('startCrawl'), {})).toMatch(/^At most 10 credits: 1 for each page\./);
    expect(costText(endpoint('batch'), { urls: ['a', 'b'] })).toMatch(/^At most 2 credits/);
  });
});
