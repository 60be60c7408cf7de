import type { DocumentedOperation } from '../../public/documented-operations.js';
import { inPython, inSource, shellText, shellWord } from './code-literals.js';

/** One request, written for one way of sending it. */
export interface RequestCode {
  readonly id: 'curl' | 'typescript' | 'python' | 'cli' | 'mcp';
  readonly title: string;
  readonly text: string;
  /** Fields of the request that this way has no word for. */
  readonly leftOut: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** Reads as it is sent; the key is never part of a page. */
const KEY_VARIABLE = 'TRAWL_API_KEY';

/** The same request for curl, our client, Python, the command line and a model's tools. */
export function codeOf(
  operation: DocumentedOperation,
  body: Body,
  publicUrl: string,
): readonly RequestCode[] {
  const base = publicUrl.replace(/\/$/, '');
  return [
    { id: 'curl', title: 'curl', text: curlCode(operation, body, base), leftOut: [] },
    ...typescriptCode(operation, body, base),
    { id: 'python', title: 'Python', text: pythonCode(operation, body, base), leftOut: [] },
    ...cliCode(operation, body),
    ...mcpCode(operation, body),
  ];
}

function curlCode({ method, path }: DocumentedOperation, body: Body, base: string): string {
  return [
    `curl -s -X ${method} ${shellWord(`${base}${path}`)}`,
    `  -H "x-api-key: $${KEY_VARIABLE}"`,
    `  -H 'content-type: application/json'`,
    `  -d ${shellWord(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n');
}

/** How a method of our client takes a request: fields that are arguments of their own, then the others. */
interface ClientCall {
  readonly name: string;
  readonly first?: string;
  /** Follows what the method starts. */
  readonly then?: readonly string[];
}

/** By operation; a test compares them with the client. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  scrape: { name: 'scrape', first: 'url' },
  startCrawl: {
    name: 'crawl',
    first: 'url',
    then: ['for await (const page of result) console.log(page.url, page.markdown?.length);'],
  },
  map: { name: 'map', first: 'url' },
  batch: { name: 'batch', first: 'urls' },
  extract: { name: 'extract' },
  parse: { name: 'parse', first: 'url' },
  screenshot: { name: 'screenshot', first: 'url' },
  search: { name: 'search', first: 'query' },
  enrich: { name: 'enrich', first: 'domain' },
  brand: { name: 'brand', first: 'domain' },
  resolve: { name: 'resolve' },
  queryGraph: { name: 'queryGraph' },
  scrapeMaps: { name: 'scrapeMaps', first: 'query' },
  scrapeReviews: { name: 'scrapeReviews', first: 'query' },
  scrapeListings: { name: 'scrapeListings', first: 'query' },
  scrapeDirectory: { name: 'scrapeDirectory', first: 'urls' },
};

function typescriptCode(
  { operationId }: DocumentedOperation,
  body: Body,
  base: string,
): readonly RequestCode[] {
  const call = CLIENT_CALLS[operationId];
  if (call === undefined) return [];
  const { name, first, then = ['console.log(result);'] } = call;
  const { given, others } = apart(body, first === undefined ? [] : [first]);
  const texts = [
    ...given.map((value) => inSource(value)),
    ...(isEmpty(others) ? [] : [inSource(others)]),
  ];
  const text = [
    `import { Trawl } from '@trawl/client';`,
    '',
    `const trawl = new Trawl({ baseUrl: ${inSource(base)}, apiKey: process.env.${KEY_VARIABLE} });`,
    `const result = await trawl.${name}(${texts.join(', ')});`,
    ...then,
  ].join('\n');
  return [{ id: 'typescript', title: 'TypeScript', text, leftOut: [] }];
}

function pythonCode({ method, path }: DocumentedOperation, body: Body, base: string): string {
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.request(`,
    `    ${inPython(method)},`,
    `    ${inPython(`${base}${path}`)},`,
    `    headers={"x-api-key": os.environ[${inPython(KEY_VARIABLE)}]},`,
    `    json=${inPython(body, 4)},`,
    ')',
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n');
}

/** A command of `trawl`: the fields that are its arguments, and the options of others. */
interface CliCommand {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

const PAGE_OPTIONS = {
  onlyMainContent: '--main',
  linkStyle: '--link-style',
  maxTokens: '--max-tokens',
  forceHeadless: '--browser',
  waitFor: '--wait-for',
  includeTags: '--include-tags',
  excludeTags: '--exclude-tags',
  headers: '--header',
  cookies: '--cookie',
  profile: '--profile',
  'location.country': '--country',
};

/** By operation; a test compares them with the command line. */
export const CLI_COMMANDS: Readonly<Record<string, CliCommand>> = {
  scrape: {
    name: 'scrape',
    arguments: ['url'],
    options: {
      formats: '--format',
      'formats.passages.query': '--query',
      maxAge: '--max-age',
      ignoreRobotsTxt: '--ignore-robots',
      respectUse: '--respect-use',
      ...PAGE_OPTIONS,
    },
  },
  startCrawl: {
    name: 'crawl',
    arguments: ['url'],
    options: {
      maxPages: '--limit',
      maxDepth: '--depth',
      includePaths: '--include',
      excludePaths: '--exclude',
      allowBackwardLinks: '--backward',
      strictScope: '--strict-scope',
      sitemap: '--sitemap',
      sources: '--source',
      ignoreRobotsTxt: '--ignore-robots',
      respectUse: '--respect-use',
      webhook: '--webhook',
      index: '--index',
      since: '--since',
      modifiedSince: '--modified-since',
      'scrapeOptions.formats': '--format',
      ...Object.fromEntries(
        Object.entries(PAGE_OPTIONS).map(([name, option]) => [`scrapeOptions.${name}`, option]),
      ),
    },
  },
  map: {
    name: 'map',
    arguments: ['url'],
    options: { limit: '--limit', search: '--search', sources: '--source' },
  },
  extract: {
    name: 'extract',
    arguments: ['url', 'urls'],
    options: { schema: '--schema', complexity: '--complexity' },
  },
  parse: {
    name: 'parse',
    arguments: ['url'],
    options: {
      pages: '--pages',
      sources: '--sources',
      pageMarkers: '--page-markers',
      maxTokens: '--max-tokens',
    },
  },
  screenshot: {
    name: 'screenshot',
    arguments: ['url'],
    options: {
      format: '--format',
      width: '--width',
      mobile: '--mobile',
      waitFor: '--wait-for',
      element: '--element',
      cookies: '--cookies',
    },
  },
  search: {
    name: 'search',
    arguments: ['query'],
    options: {
      limit: '--limit',
      scrapeResults: '--scrape',
      country: '--country',
      maxTokens: '--max-tokens',
    },
  },
};

function cliCode({ operationId }: DocumentedOperation, body: Body): readonly RequestCode[] {
  const command = CLI_COMMANDS[operationId];
  if (command === undefined) return [];
  const leftOut: string[] = [];
  const words = ['trawl', command.name];
  for (const [name, value] of leaves(body, new Set(Object.keys(command.options)))) {
    const option = command.options[name];
    if (command.arguments.includes(name)) words.push(...listOf(value).map(shellText));
    else if (option === undefined || value === false) leftOut.push(name);
    else words.push(...optionWords(option, value));
  }
  // A page with several outputs, and each of a crawl that names some, is printed as JSON only.
  const outputs = words.filter((word) => word === '--format' || word === '--query').length;
  if (outputs > (command.name === 'crawl' ? 0 : 1)) words.push('--json');
  return [{ id: 'cli', title: 'Command line', text: words.join(' '), leftOut }];
}

function optionWords(option: string, value: unknown): readonly string[] {
  if (value === true) return [option];
  if (option === '--header')
    return Object.entries(value as object).flatMap(([name, text]) => [
      option,
      shellText(`${name}: ${text}`),
    ]);
  return listOf(value).flatMap((one) => [option, shellText(one)]);
}

/** A tool of `trawl mcp`: its arguments by the fields of the request. */
interface McpTool {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

const same = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, name]));

/** By operation; a test compares them with the tools. */
export const MCP_TOOLS: Readonly<Record<string, McpTool>> = {
  scrape: {
    name: 'scrape',
    arguments: {
      ...same(
        'url onlyMainContent linkStyle includeTags excludeTags forceHeadless waitFor respectUse maxAge',
      ),
      'formats.passages.query': 'question',
    },
  },
  map: { name: 'map', arguments: same('url search limit sources') },
  search: {
    name: 'search',
    arguments: same(
      'query limit includeDomains excludeDomains categories tbs country scrapeResults include_answer',
    ),
  },
  startCrawl: {
    name: 'crawl',
    arguments: {
      ...same(
        'url maxDepth includePaths excludePaths allowBackwardLinks sitemap sources respectUse since modifiedSince',
      ),
      maxPages: 'limit',
      'scrapeOptions.onlyMainContent': 'onlyMainContent',
    },
  },
  extract: { name: 'extract', arguments: same('urls schema complexity') },
  parse: { name: 'parse', arguments: same('url') },
  enrich: { name: 'enrich', arguments: same('domain maxPages includeBrand') },
};

function mcpCode({ operationId }: DocumentedOperation, body: Body): readonly RequestCode[] {
  const tool = MCP_TOOLS[operationId];
  if (tool === undefined) return [];
  const named = new Set(Object.keys(tool.arguments));
  const all = leaves(body, named);
  const leftOut = all.flatMap(([name]) => (named.has(name) ? [] : [name]));
  const given = all.flatMap(([name, value]) => {
    const argument = tool.arguments[name];
    return argument === undefined ? [] : [[argument, value] as const];
  });
  const call = { name: tool.name, arguments: Object.fromEntries(given) };
  return [{ id: 'mcp', title: 'MCP', text: JSON.stringify(call, null, 2), leftOut }];
}

/**
 * The fields with their places, `location.country`; an object that is known by its own name stays whole. One among the
 * names of formats has its type for a name: `formats.passages.query`.
 */
function leaves(
  body: Body,
  known: ReadonlySet<string>,
  prefix = '',
): readonly (readonly [string, unknown])[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const place = `${prefix}${name}`;
    if (name === 'formats' && Array.isArray(value)) {
      const names = value.filter((one) => !isBody(one));
      return [
        ...(names.length > 0 ? [[place, names] as const] : []),
        ...value
          .filter(isBody)
          .flatMap(({ type, ...fields }) => leaves(fields, known, `${place}.${String(type)}.`)),
      ];
    }
    return isBody(value) && !known.has(place)
      ? leaves(value, known, `${place}.`)
      : [[place, value] as const];
  });
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function apart(
  body: Body,
  names: readonly string[],
): { readonly given: readonly unknown[]; readonly others: Body } {
  const given = names.flatMap((name) => (name in body ? [body[name]] : []));
  const others = Object.entries(body).filter(([name]) => !names.includes(name));
  return { given, others: Object.fromEntries(others) };
}

const isEmpty = (body: Body): boolean => Object.keys(body).length === 0;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
