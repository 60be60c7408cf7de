import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { runNode } from '../../../test/setup/run-program.js';

/** Code that a user may write; both the errors and their absence are checked. */
const USAGE = `
import { Trawl, TrawlError, verifyWebhook, type CrawledPage, type FeedEvent, type JobSnapshot } from 'CLIENT';

const trawl = new Trawl({ baseUrl: 'http://a.example', apiKey: 'k', fetch: (url, init) => fetch(url, init) });
const signal = AbortSignal.timeout(1);
export const page = await trawl.scrape('u', { formats: ['links'], onlyMainContent: true }, { signal });
export const markdown: string | undefined = page.markdown;
if ('isPdf' in page) page.text.trim();
const crawl = await trawl.crawl('u', { limit: 5, scrapeOptions: { formats: ['markdown'] } });
for await (const one of crawl) ((given: CrawledPage) => given.metadata?.title?.trim())(one);
export const parts = (one: CrawledPage) => [one.passages?.[0]?.score.toFixed(), one.markdownCut?.tokens.toFixed(), one.format?.trim()];
for await (const one of crawl.changes()) if (one.op === 'delete') (one.moved_to ?? one.reason).trim();
for await (const { state } of crawl.urls({ state: 'failed' })) state.trim();
export const job: JobSnapshot = await crawl.wait({ timeoutMs: 5 });
export const known: 'completed' | 'failed' | 'cancelled' | 'queued' | 'running' | 'processing' = job.status;
export const items = (await trawl.batch(['u'])).results.map(({ index }) => index + 1);
await trawl.parse(new Blob([]), { format: 'rag' });
await trawl.parse(new Uint8Array(1));
export const event = (await verifyWebhook('', new Headers(), 's')).jobId.trim();
const { jobId } = await trawl.preview('maps', { query: 'dentists in Austin, TX' });
for await (const { name } of await trawl.pull(jobId, { maxResults: 20 })) String(name);
const { feedId, addresses } = await trawl.feeds.create({ connectorId: 'sitemap_urls', params: {}, schedule: '0 7 * * *' });
export const rss: string = (await trawl.feeds.renewAddresses(feedId)).addresses.rss ?? addresses.rss;
const delivered = await verifyWebhook<FeedEvent>('', new Headers(), 's');
export const rows = delivered.type === 'feed.rows' ? delivered.rows.map(({ kind, row }) => [kind, row]) : delivered.reason;
export const isBusy = (error: unknown): boolean => error instanceof TrawlError && error.code === 'rate_limited';
// @ts-expect-error: no such format
await trawl.scrape('u', { formats: ['csv'] });
// @ts-expect-error: no such option
await trawl.crawl('u', { pages: 5 });
// @ts-expect-error: the URL is an argument
await trawl.scrape('u', { url: 'v' });
// @ts-expect-error: startBatch is the method for it
await trawl.batch(['u'], { async: true });
// @ts-expect-error: a key is needed
new Trawl({ baseUrl: 'u' });
`;

const TSC = 'node_modules/typescript/bin/tsc';
const STRICT = ['--ignoreConfig', '--noEmit', '--strict', '--noUncheckedIndexedAccess'];
const MODULES = ['--target', 'es2022', '--module', 'nodenext', '--rootDir', '/'];
/** Without the types of Node: whatever a browser lacks is an error. */
const BROWSER = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--typeRoots', '/nowhere'];

describe('the types of the client', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-client-types-'));
    const client = path.join(projectRoot(), 'libs/client/src/index.js');
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(path.join(folder, 'usage.ts'), USAGE.replace('CLIENT', client));
    const wrong = `import 'node:fs'; import '${client}'; process.exit(); export {};`;
    await writeFile(path.join(folder, 'wrong.ts'), wrong);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const check = (file: string, ...more: readonly string[]): Promise<string> =>
    runNode(folder, TSC, ...STRICT, ...MODULES, ...more, file);

  it('fit a browser: the sources use nothing that only Node has', async () => {
    await check('usage.ts', ...BROWSER);
    await expect(check('wrong.ts', ...BROWSER)).rejects.toThrow(/node:fs[^]*'process'/);
  });

  it('fit Node', async () => {
    const types = path.join(projectRoot(), 'node_modules/@types');
    await check('usage.ts', '--lib', 'es2023', '--types', 'node', '--typeRoots', types);
  });
});
