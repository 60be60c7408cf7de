import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { runNode } from '../../../../test/setup/run-program.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

const CLIENTS = path.resolve(__dirname, '../../test/clients');

/** Code that a TypeScript client may write; both the errors and their absence are checked. */
const USAGE = `
import type { components, paths } from './api';

type Schemas = components['schemas'];
export const scrape: Schemas['ScrapeRequest'] = { url: 'http://a.example/' };
export const crawl: Schemas['CrawlRequest'] = { url: 'http://a.example/', scrapeOptions: { formats: ['links'] } };
export const batch: Schemas['BatchRequest'] = { urls: ['http://a.example/'], actions: [{ type: 'wait', ms: 5 }] };
export const extract: Schemas['ExtractRequest'] = { html: '<p>text</p>', complexity: null };
export const enrich: Schemas['EnrichRequest'] = { domain: 'a.example', includeTech: false };
export const brand: Schemas['BrandRequest'] = { url: 'http://a.example/' };
// @ts-expect-error: \`url\` is required.
export const nothing: Schemas['ScrapeRequest'] = {};
// @ts-expect-error: no such format.
export const odd: Schemas['ScrapeRequest'] = { url: 'http://a.example/', formats: ['csv'] };

type Answer = paths['/v1/scrape']['post']['responses'][200]['content']['application/json'];
export const textOf = (answer: Answer): string | undefined => answer.markdown;
`;

describe('generators of clients and the OpenAPI document', () => {
  let api: StartedApi;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    api = await startTestApi();
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-clients-'));
    file = path.join(folder, 'openapi.json');
    await writeFile(file, await (await fetch(`${api.url}/openapi.json`)).text());
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes every rule that Redocly recommends, without a warning', async () => {
    const config = path.join(CLIENTS, 'redocly.yaml');
    const args = ['lint', file, '--config', config, '--format', 'json'];
    const report = await runNode(folder, 'node_modules/@redocly/cli/bin/cli.js', ...args);
    expect(JSON.parse(report)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
  });

  it('generates TypeScript types in which a field with a default is optional', async () => {
    await runNode(folder, 'node_modules/openapi-typescript/bin/cli.js', file, '-o', 'api.ts');
    await writeFile(path.join(folder, 'usage.ts'), USAGE);
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--ignoreConfig'];
    await runNode(folder, 'node_modules/typescript/bin/tsc', ...options, 'usage.ts');
  });

  it('generates the types of libs/client as they are; npm run format updates them', async () => {
    const types = await readFile(path.join(projectRoot(), 'libs/client/src/api-types.ts'), 'utf8');
    expect(await runNode(folder, 'scripts/client-types.mjs', file)).toBe(types);
  });
});
