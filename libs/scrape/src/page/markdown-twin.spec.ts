import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type PageOutputs,
} from '@app/contracts';
import { PLAIN_RENDER, type FetchRung, type RungResult } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import type { PageTask } from '../content/content-task.js';
import { contentSteps } from '../content/content.worker.js';
import { headerMarkdownUrl } from './markdown-twin.js';
import { PageFetcher, type PageFetcherOptions } from './page-fetcher.js';
import type { PageResult } from './page-result.js';

const URL_TEXT = 'https://a.example/page';
const PROSE = 'Words of a page that is complete, and says enough. '.repeat(20);
const TWIN = '# From Markdown\n\nSee [the next](/next).\n';
const link = (href: string) => `<link rel="alternate" type="text/markdown" href="${href}">`;

interface Served {
  readonly body: string;
  readonly contentType?: string;
  readonly statusCode?: number;
  readonly isCut?: boolean;
}

const html = (head: string): Served => ({
  body: `<!doctype html><title>A page</title>${head}<p>${PROSE}<a href="/on">on</a></p>`,
});
const markdown = (over: Partial<Served> = {}): Served => ({
  ...{ body: TWIN, contentType: 'text/markdown; charset=utf-8' },
  ...over,
});

/** Fetches the page from a site that serves these; the URLs that were requested. */
async function fetched(
  site: Readonly<Record<string, Served>>,
  { preferMarkdown = true, outputs = {} as PageOutputs } = {},
) {
  const requested: string[] = [];
  const rung: FetchRung = {
    ...{ rung: 'plain', fetchMethod: 'plain', network: 'ours', runsScripts: false },
    costMicroUsd: 0,
    fetch: async ({ url }): Promise<RungResult> => {
      requested.push(url.href);
      const {
        body: text,
        contentType = 'text/html',
        statusCode = 200,
        isCut = false,
      } = site[url.href] ?? { body: 'none', statusCode: 404 };
      const body = new TextEncoder().encode(text);
      const page = {
        ...{ url: url.href, statusCode, contentType, body, bytes: body.length, isCut },
        ...{ headers: { etag: '"1"' }, redirects: [], timings: {}, isRendered: false },
      };
      return { ok: true, page };
    },
  };
  const run = async (task: PageTask) => contentSteps.convert({ ...task, maxCpuMs: 60_000 });
  const pages = new PageFetcher({
    rungs: [rung],
    robots: {
      check: async () => ({ refusal: null, crawlDelayMs: null }),
      siteUse: async () => ({}),
    },
    converters: { content: { run } },
    hosts: { recall: async () => null, learn: async () => {}, confirmCheap: async () => {} },
    ...{ metrics: new Metrics(), maxBytes: 1_000_000, costCeilingMicroUsd: 0 },
  } as unknown as PageFetcherOptions);
  const result: PageResult = await pages.fetch({
    ...{ url: URL_TEXT, deadline: Deadline.after(60_000), ignoreRobotsTxt: false },
    outputs: { markdown: true, links: true, rawHtml: true, ...outputs },
    fetch: { ...DEFAULT_FETCH_OPTIONS, preferMarkdown },
    ...{ content: DEFAULT_CONTENT_OPTIONS, render: PLAIN_RENDER },
    ...{ onRetryAfter: 'report', crawl: null },
  });
  if (result.kind !== 'document') throw new Error(result.kind);
  return { result, document: result.document, requested };
}

describe('the Markdown that a page names', () => {
  const OWN = 'https://a.example/page.md';
  const site = { [URL_TEXT]: html(link('/page.md')), [OWN]: markdown() };

  it('is its text where the caller prefers it; all else is of the page', async () => {
    const { result, document, requested } = await fetched(site, {
      outputs: { branding: true, contentKey: true },
    });
    expect(requested).toEqual([URL_TEXT, OWN]);
    expect(document).toMatchObject({
      ...{ url: URL_TEXT, sourceUrl: URL_TEXT, markdown: TWIN, rawHtml: TWIN },
      ...{ contentType: 'text/markdown; charset=utf-8', links: ['https://a.example/next'] },
      metadata: { title: 'A page', markdownUrl: OWN },
      branding: expect.any(Object),
      cascade: { level: 1, attempts: [{ ok: true }, { ok: true }] },
    });
    expect(result.validators).toEqual({});
    const plain = await fetched({ [URL_TEXT]: site[URL_TEXT] }, { outputs: { contentKey: true } });
    expect(result.contentKey).not.toBe(plain.result.contentKey);
  });

  it('is not fetched for other callers', async () => {
    const { document, requested } = await fetched(site, { preferMarkdown: false });
    expect(requested).toEqual([URL_TEXT]);
    expect(document.metadata.markdownUrl).toBe(OWN);
  });

  it.each<[string, Served]>([
    ['that is Markdown already', { ...markdown(), body: link('/page.md') }],
    ['that names itself', html(link('/page'))],
    ['that names one elsewhere', html(link('https://b.example/page.md'))],
    ['that names a list of pages', html(link('/llms.txt'))],
    ['that names none', html('')],
  ])('is not sought for a page %s', async (_, page) => {
    expect((await fetched({ [URL_TEXT]: page })).requested).toEqual([URL_TEXT]);
  });

  it.each<[string, Served]>([
    ['missing', markdown({ statusCode: 404 })],
    ['HTML', html('')],
    ['cut', markdown({ isCut: true })],
  ])('that is %s leaves the page as it is', async (_, twin) => {
    const { document, requested } = await fetched({ ...site, [OWN]: twin });
    expect(requested).toEqual([URL_TEXT, OWN]);
    expect(document).toMatchObject({ contentType: 'text/html', metadata: { title: 'A page' } });
    expect(document.markdown).toContain('Words of a page');
  });
});

describe('the Markdown that a header names', () => {
  it.each([
    ['</docs/page.md>; rel="alternate"; type="text/markdown"', 'https://a.example/docs/page.md'],
    ['</a>; rel=next, <page.md>;rel=alternate;type=text/markdown; charset=utf-8', 'https://a.example/docs/page.md'],
    ['</page.md>; rel="canonical"; type="text/markdown"', undefined],
    ['</page.md', undefined],
    [undefined, undefined],
  ])('is named by a header: %p', (header, url) => {
    expect(headerMarkdownUrl(header, 'https://a.example/docs/page')).toBe(url);
  }); // prettier-ignore
});
