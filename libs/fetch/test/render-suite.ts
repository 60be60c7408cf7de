import { SiteServer, type OwnPage } from '@app/testing';
import type { FetchedPage, RungFailure, RungResult } from '../src/fetch-rung.js';
import { HeadlessRung } from '../src/rungs/headless.rung.js';
import { pageRequest, type PageRequestOptions, LocalPages } from './local-pages.js';

export interface RenderSuite {
  readonly site: SiteServer;
  readonly pages: LocalPages;
  /** The page at that path, rendered; throws when it failed. */
  render(
    path: string,
    options?: PageRequestOptions,
  ): Promise<FetchedPage & { readonly html: string }>;
  /** As `render`, by `inTime`. */
  renderInTime(
    path: string,
    deadlineMs: number,
    options?: Omit<PageRequestOptions, 'deadlineMs'>,
  ): Promise<FetchedPage & { readonly html: string }>;
  /** How the page at that path failed; throws when it did not. */
  failure(path: string, options?: PageRequestOptions): Promise<RungFailure>;
}

/** What the end of a try may take beyond its deadline on a busy machine. */
const GRACE_MS = 25_000;
/** Four tries from 5 s on: 75 s. */
const MAX_TRIES = 4;

/** What came of it, each try held to its deadline; after a timeout, as on a busy machine, one with twice the time. */
export async function inTime(
  firstDeadlineMs: number,
  attempt: (deadlineMs: number) => Promise<RungResult>,
): Promise<RungResult> {
  for (let tries = 1, deadlineMs = firstDeadlineMs; ; tries++, deadlineMs *= 2) {
    const startedAt = performance.now();
    const result = await attempt(deadlineMs);
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + GRACE_MS);
    const isLate = !result.ok && result.failure.errorClass === 'timeout';
    if (!isLate || tries === MAX_TRIES) return result;
  }
}

/** A site of own pages and a Chromium, for one spec file. */
export function renderSuite(own: Readonly<Record<string, OwnPage>>): RenderSuite {
  let site: SiteServer;
  let pages: LocalPages;
  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end('none'));
    site.serve(own);
    pages = await LocalPages.open();
  });
  beforeEach(() => {
    site.reset();
    pages.refusals.clear();
  });
  afterAll(async () => {
    await pages.close();
    await site.close();
  });
  const run = (path: string, options?: PageRequestOptions) =>
    new HeadlessRung({ pages }).fetch(pageRequest(site.url(path), options));
  const read = (result: RungResult) => {
    if (!result.ok) throw new Error(`failed: ${JSON.stringify(result.failure)}`);
    if (!('page' in result)) throw new Error('not a page');
    return { ...result.page, html: new TextDecoder().decode(result.page.body) };
  };
  return {
    get site() {
      return site;
    },
    get pages() {
      return pages;
    },
    render: async (path, options) => read(await run(path, options)),
    async renderInTime(path, firstDeadlineMs, options) {
      return read(
        await inTime(firstDeadlineMs, (deadlineMs) => {
          site.reset();
          return run(path, { ...options, deadlineMs });
        }),
      );
    },
    async failure(path, options) {
      const result = await run(path, options);
      if (result.ok) throw new Error('it did not fail');
      return result.failure;
    },
  };
}
