import { SiteServer, type OwnPage } from '@app/testing';
import type { FetchedPage, RungFailure } from '../src/fetch-rung.js';
import { HeadlessRung } from '../src/rungs/headless.rung.js';
import { ask, type AskOptions, LocalPages } from './local-pages.js';

export interface RenderSuite {
  readonly site: SiteServer;
  readonly pages: LocalPages;
  /** The page at that path, rendered; throws when it failed. */
  render(path: string, options?: AskOptions): Promise<FetchedPage & { readonly html: string }>;
  /** How the page at that path failed; throws when it did not. */
  failure(path: string, options?: AskOptions): Promise<RungFailure>;
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
    pages.lastRefusal = null;
  });
  afterAll(async () => {
    await pages.close();
    await site.close();
  });
  const run = (path: string, options?: AskOptions) =>
    new HeadlessRung({ pages }).fetch(ask(site.url(path), options));
  return {
    get site() {
      return site;
    },
    get pages() {
      return pages;
    },
    async render(path, options) {
      const result = await run(path, options);
      if (!result.ok) throw new Error(`failed: ${JSON.stringify(result.failure)}`);
      if (!('page' in result)) throw new Error('not a page');
      return { ...result.page, html: new TextDecoder().decode(result.page.body) };
    },
    async failure(path, options) {
      const result = await run(path, options);
      if (result.ok) throw new Error('it did not fail');
      return result.failure;
    },
  };
}
