import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { startTestApi, type StartedApi } from '../../test/started-api.js';
import { documentedObjects, documentedOperations, isForClients } from './documented-operations.js';
import { fillText, loadPublicFiles } from './public-files.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const FILES = [
  ['/agent-onboarding', MARKDOWN, '# Trawl: quick start'],
  ['/agent-onboarding/SKILL.md', MARKDOWN, '# Trawl: quick start'],
  ['/agent-onboarding/MANIFEST.md', MARKDOWN, '# Trawl: manifest'],
  ['/llms.txt', PLAIN, '# Trawl\n'],
  ['/llms-full.txt', PLAIN, '# Trawl: reference'],
  ['/openapi.json', 'application/json; charset=utf-8', '{"openapi":"3.1.0"'],
] as const;
/** Base URL of the fake service. */
const PUBLIC_URL = 'http://127.0.0.1:1';

describe('public files', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi({ settings: { exampleUrl: 'http://example.internal/page' } });
  });
  afterAll(() => api.stop());

  const get = (file: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${api.url}${file}`, init);
  const textOf = async (file: string): Promise<string> => (await get(file)).text();
  const document = async (): Promise<OpenAPIObject> =>
    (await (await get('/openapi.json')).json()) as OpenAPIObject;

  it.each(FILES)('%s needs no key and has the type %s', async (file, type, beginning) => {
    const answer = await get(file);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await answer.text()).toContain(beginning);
  });

  it.each(FILES)('%s answers HEAD as GET, without the body', async (file) => {
    // The length of a body that was decoded says nothing.
    const headers = { 'accept-encoding': 'identity' };
    const got = await get(file, { headers });
    const head = await get(file, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const bytes = String((await got.arrayBuffer()).byteLength);
    expect(head.headers.get('content-length')).toBe(bytes);
    for (const name of ['content-type', 'cache-control', 'etag'])
      expect(head.headers.get(name)).toBe(got.headers.get(name));
  });

  it.each(FILES)('%s is not sent again to a client that has it cached', async (file) => {
    const etag = (await get(file)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const answer = await get(file, { headers: { 'if-none-match': known } });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect((await get(file, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('serve links at / as JSON to programs', async () => {
    const answer = await get('/');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding');
    const directory = (await answer.json()) as Record<string, string>;
    expect(Object.keys(directory)).toEqual(
      expect.arrayContaining(['dashboard', 'docs', 'openapi', 'health']),
    );
    const { service: _, ...paths } = directory;
    for (const target of Object.values(paths))
      expect([target, (await get(target)).status === 404]).toEqual([target, false]);
  });

  it('serve links at / as a page to browsers', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answer = await get('/', { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    const page = await answer.text();
    expect(page).toContain(`curl -s ${PUBLIC_URL}/v1/scrape`);
    for (const [, target = ''] of page.matchAll(/href="(\/[^"]*)"/g))
      expect([target, (await get(target)).ok || target.startsWith('/health')]).toEqual([
        target,
        true,
      ]);
    const etag = answer.headers.get('etag') ?? '';
    const again = await get('/', { headers: { accept, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect((await get('/', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('need no key and ignore a wrong one', async () => {
    for (const [file] of FILES)
      expect((await get(file, { headers: { 'x-api-key': 'wrong' } })).status).toBe(200);
  });

  it('serve the same quick start at both of its URLs', async () => {
    expect(await textOf('/agent-onboarding/SKILL.md')).toBe(await textOf('/agent-onboarding'));
  });

  it('contain the base URL and the example page of this service', async () => {
    const texts = await Promise.all(FILES.slice(0, -1).map(([file]) => textOf(file)));
    for (const text of texts) {
      expect(text).toContain(PUBLIC_URL);
      expect(text).not.toMatch(/\{\{|<!--(?! page 2 )|https:\/\/example\.com\//);
    }
    expect(texts[0]).toContain('"http://example.internal/page/about"');
  });

  it('name only endpoints that exist', async () => {
    const templates = Object.keys((await document()).paths);
    const isThere = (named: string): boolean =>
      templates.some((template) =>
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(named),
      );
    for (const [file] of FILES.slice(0, -1)) {
      const named = [...(await textOf(file)).matchAll(/\/v\d+(?:\/[\w{}$*-]+)+/g)].map(
        ([one]) => one,
      );
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((one) => !isThere(one))).toEqual([]);
    }
  });

  it('describe every operation in llms-full.txt: fields, responses, errors and an example', async () => {
    const text = await textOf('/llms-full.txt');
    const found = await document();
    const operations = documentedOperations(found);
    expect(operations.length).toBeGreaterThan(20);
    const headings = text.split('# Objects')[0] ?? '';
    for (const operation of operations) {
      const { method, path: target } = operation;
      const [, part = ''] = headings.split(`\n## ${method} ${target}\n`);
      const own = part.split('\n## ')[0] ?? '';
      const isShown = own.includes('```sh\ncurl -s');
      expect([target, own.length > 0, isShown]).toEqual([target, true, isForClients(operation)]);
      for (const { name } of operation.parameters) expect(own).toContain(`- \`${name}\` (`);
      for (const status of Object.keys(operation.responses)) expect(own).toContain(`- ${status}: `);
      for (const [type, { schema }] of Object.entries(operation.body)) {
        expect(own).toContain(`Body (${type}`);
        const name = schema?.$ref?.split('/').at(-1) ?? '';
        for (const field of Object.keys(documentedObjects(found)[name]?.properties ?? {}))
          expect(own).toContain(`- \`${field}\` (`);
      }
    }
    for (const name of Object.keys(documentedObjects(found)))
      expect(text).toContain(`\n## ${name}\n`);
  });

  it('list every operation in llms.txt and in the manifest', async () => {
    const [llms, manifest] = [
      await textOf('/llms.txt'),
      await textOf('/agent-onboarding/MANIFEST.md'),
    ];
    for (const { method, path: target } of documentedOperations(await document())) {
      expect(llms).toContain(`- ${method} ${target}: `);
      expect(manifest).toContain(`| \`${method} ${target}\` | `);
    }
  });
});

describe('the manifest', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'public-files-'));
    await cp(path.join(__dirname, 'files'), folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const facts = {
    document: { openapi: '3.1.0', info: { title: 'Trawl', version: '0.1.0' }, paths: {} },
    publicUrl: 'http://a.example/',
    exampleUrl: 'http://b.example/',
  };

  it('is replaced by the quick start when it is missing', async () => {
    expect(loadPublicFiles(facts, folder).manifest).toContain('# Trawl: manifest');
    await rm(path.join(folder, 'manifest.md'));
    const { quickStart, manifest } = loadPublicFiles(facts, folder);
    expect(manifest).toBe(quickStart);
  });

  it('is the only file that may be missing', async () => {
    await rm(path.join(folder, 'quick-start.md'));
    expect(() => loadPublicFiles(facts, folder)).toThrow('quick-start.md');
  });
});

describe('a text', () => {
  const facts = { values: { address: 'http://a' }, operations: new Set(['POST /v1/a']) };
  const about = (title: string): string => `1\n<!-- with ${title} -->\n2\n<!-- end -->\n3\n`;

  it('mentions an operation only if it exists', () => {
    expect(fillText(about('POST /v1/a'), facts)).toBe('1\n2\n3\n');
    expect(fillText(about('GET /v1/a'), facts)).toBe('1\n3\n');
  });

  it('throws for a placeholder without a value', () => {
    expect(fillText('{{address}}/x', facts)).toBe('http://a/x');
    expect(() => fillText('{{adress}}', facts)).toThrow('no value for {{adress}}');
  });
});
