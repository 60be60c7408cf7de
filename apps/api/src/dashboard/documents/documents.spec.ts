import { readdirSync } from 'node:fs';
import path from 'node:path';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';
import { readDocuments } from '../../public/document-set.js';
import { renderDocument, sectionsOf } from './render-document.js';
import { DocumentSearch } from './search-documents.js';

const DOCS = path.resolve(__dirname, '../../../../../docs');
const DOCUMENTS = readDocuments().flatMap(({ documents }) => documents);

describe('the documents', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  const get = (at: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api.url}${at}`, { headers });
  const textOf = async (at: string): Promise<string> => (await get(at)).text();

  it('are those of the folder, and the README', () => {
    const files = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
    expect(DOCUMENTS.map(({ name }) => `${name}.md`).sort()).toEqual(['start.md', ...files].sort());
  });

  it('have pages whose links all lead somewhere', async () => {
    const contents = await textOf('/docs');
    const paths = new Set([...contents.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, at]) => at));
    expect(paths.size).toBeGreaterThan(DOCUMENTS.length + 20);
    const pages = new Map<string, string>();
    for (const at of paths) {
      const answer = await get(String(at));
      expect([at, answer.status]).toEqual([at, 200]);
      pages.set(String(at), await answer.text());
    }
    const broken = [...pages].flatMap(([at, page]) =>
      [...page.matchAll(/(?:href|src)="(\/docs[^"#]*|)(?:#([^"]+))?"/g)]
        .filter(([, target = '', anchor]) => {
          const linked = pages.get(target || at);
          if (linked === undefined) return !target.startsWith('/docs/images/');
          return anchor !== undefined && anchor !== 'main' && !linked.includes(`id="${anchor}"`);
        })
        .map(([link]) => `${at}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('have pictures that exist', async () => {
    const named = DOCUMENTS.flatMap(({ markdown }) => [
      ...markdown.matchAll(/\]\((images\/[^)]+)\)/g),
    ]);
    expect(named.length).toBeGreaterThan(0);
    for (const [, image] of named)
      expect([image, (await get(`/docs/${image}`)).status]).toEqual([image, 200]);
  });

  it('are Markdown for those who ask for it', async () => {
    const [byName, byType] = [
      await get('/docs/feeds.md'),
      await get('/docs/feeds', { accept: 'text/markdown, text/html;q=0.5' }),
    ];
    for (const answer of [byName, byType]) {
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(await answer.text()).toMatch(/^# Feeds\n/);
    }
    expect(byType.headers.get('vary')).toContain('Accept');
    expect((await get('/docs/feeds')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('describe every operation, with the objects that it names', async () => {
    const page = await textOf('/docs/api/crawl');
    expect(page).toContain('<h2 id="post-v1crawl">POST /v1/crawl</h2>');
    expect(page).toMatch(/<a href="#crawlaccepted">|id="crawl/);
    expect(await textOf('/docs/api/crawl.md')).toMatch(/curl -s "http[^\n]+\/v1\/crawl"/);
  });

  it.each([
    '/docs/nothing',
    '/docs/../package.json',
    '/docs/api/nothing',
    '/docs/images/x.png',
    '/docs/start.md.md',
  ])('are no other files: %s', async (at) => {
    expect((await get(at)).status).toBe(404);
  });

  it('are sent once to a browser that keeps them', async () => {
    const { headers } = await get('/docs/feeds');
    const again = await get('/docs/feeds', { 'if-none-match': String(headers.get('etag')) });
    expect(again.status).toBe(304);
    const dark = await get('/docs/feeds', { cookie: 'trawl_theme=dark' });
    expect(dark.headers.get('etag')).not.toBe(headers.get('etag'));
  });

  it('are searched as one types, and show the words as text', async () => {
    expect(await textOf('/docs?q=webhook+sig')).toContain('<a href="/docs/webhooks#webhooks">');
    const page = await textOf(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(page).not.toContain('<script>alert');
    expect((await get('/docs?q=a&q=b')).status).toBe(200);
  });
});

describe('the search of documents', () => {
  let search: DocumentSearch;
  beforeAll(async () => {
    search = await DocumentSearch.over(
      DOCUMENTS.map((one) => ({ ...one, path: `/docs/${one.name}` })),
    );
  });

  it.each([
    ['idempotency key', '/docs/webhooks#retries'],
    ['robots.txt crawl-delay', '/docs/start#crawl-a-site'],
    ['SCRAPE_TIMEOUT_MS', '/docs/settings#fetching'],
    ['idempotenci', '/docs/webhooks#retries'],
    ['retries of zyxw', '/docs/webhooks#retries'],
  ])('finds %s', (query, at) => {
    expect(search.find(query)?.map((found) => found.path)).toContain(at);
  });

  it('has twenty searches in a second for all, and those that it knows', async () => {
    let nowMs = 5_000;
    const bounded = await DocumentSearch.over([], () => nowMs);
    const all = Array.from({ length: 30 }, (_, n) => bounded.find(`word${n}`));
    expect(all.map((one) => one === null)).toEqual([
      ...Array(20).fill(false),
      ...Array(10).fill(true),
    ]);
    expect(bounded.find('WORD3')).toEqual([]);
    nowMs += 1_000;
    expect(bounded.find('word25')).toEqual([]);
  });

  it('ranks what is written for builders lower', async () => {
    const one = { title: 'Feeds', markdown: '# Feeds\n\nOnly what is new.\n' };
    const weighted = await DocumentSearch.over([
      { ...one, path: '/docs/inside', weight: 0.4 },
      { ...one, path: '/docs/guide' },
    ]);
    expect(weighted.find('feeds')?.map(({ path }) => path)).toEqual([
      '/docs/guide',
      '/docs/inside',
    ]);
  });

  it('has an end, whatever is searched for', () => {
    expect(search.find('e'.repeat(100_000))).toEqual([]);
    expect(search.find('the of and in to is are not or by')).toHaveLength(20);
    expect(search.find('a b c d')).toEqual([]);
    expect(search.find('')).toEqual([]);
  });
});

describe('a rendered document', () => {
  it('has its headings, without the title, and leads to pages', () => {
    const { content, headings } = renderDocument(
      '# A\n\n## B `c`\n\n[d](jobs.md#results) [e](https://e.example/)\n\n# F\n\n![g](images/g.svg)\n\n<b>',
    );
    expect(headings).toEqual([
      { level: 2, text: 'B c', id: 'b-c' },
      { level: 2, text: 'F', id: 'f' },
    ]);
    expect(content.toString()).toBe(
      '<h2 id="b-c">B <code>c</code></h2>\n' +
        '<p><a href="/docs/jobs#results">d</a> <a href="https://e.example/">e</a></p>\n' +
        '<h2 id="f">F</h2>\n<p><img src="/docs/images/g.svg" alt="g" loading="lazy" /></p>\n<p>&lt;b&gt;</p>\n',
    );
  });

  it('has sections whose words are searched, comments of code included', () => {
    expect(sectionsOf('# A\nb\n```sh\n# c\n```\n## D\n| e | f |\n|---|---|\n[g](h)')).toEqual([
      { level: 1, text: 'A', id: '', body: 'b\n# c\n' },
      { level: 2, text: 'D', id: 'd', body: 'e f\n\ng\n' },
    ]);
  });
});
