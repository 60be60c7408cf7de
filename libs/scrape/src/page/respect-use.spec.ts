import { Deadline, DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { BlockedUrlError, type HttpRequest, type HttpResponse } from '@app/egress';
import { PLAIN_RENDER, RobotsCache, UseFiles, type FetchRung, type RungResult } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import type { ContentUse, DeclaredUse } from '@app/uses';
import type { PageTask } from '../content/content-task.js';
import { contentSteps } from '../content/content.worker.js';
import { PageFetcher, type PageFetcherOptions } from './page-fetcher.js';
import type { PageResult } from './page-result.js';
import { RobotsGate } from './robots-gate.js';
import { SiteUses } from './site-uses.js';

const SITE = 'https://a.example';
const TEXT = 'Words of a page that is complete, and says enough. '.repeat(20);

/** Files of sites by URL; those without one are 404. A number: the status. */
type Files = Readonly<Record<string, string | number>>;

interface PageOver {
  readonly head?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the page ends; its redirect is followed first. */
  readonly movesTo?: string;
}

class Fixture {
  /** Files and pages that were requested, in order. */
  readonly requested: string[] = [];
  private readonly pages: PageFetcher;

  constructor(
    private readonly files: Files,
    private readonly page: PageOver = {},
  ) {
    const http = { fetch: async (request: HttpRequest) => this.file(request) };
    const metrics = new Metrics();
    const robots = new RobotsCache({ http, agentToken: 'TrawlBot' });
    const uses = new SiteUses(new UseFiles({ http, unreachableTtlMs: 5_000 }));
    const run = async (task: PageTask) => contentSteps.convert({ ...task, maxCpuMs: 60_000 });
    this.pages = new PageFetcher({
      rungs: [this.rung()],
      robots: new RobotsGate(robots, uses, metrics),
      converters: { content: { run } },
      hosts: { recall: async () => null, learn: async () => {}, confirmCheap: async () => {} },
      ...{ metrics, maxBytes: 1_000_000, costCeilingMicroUsd: 0 },
    } as unknown as PageFetcherOptions);
  }

  fetch(respectUse?: ContentUse, ignoreRobotsTxt = false): Promise<PageResult> {
    return this.pages.fetch({
      ...{ url: `${SITE}/page`, deadline: Deadline.after(60_000), ignoreRobotsTxt },
      ...(respectUse ? { respectUse } : {}),
      ...{ outputs: { markdown: true }, fetch: DEFAULT_FETCH_OPTIONS },
      ...{ content: DEFAULT_CONTENT_OPTIONS, render: PLAIN_RENDER },
      ...{ onRetryAfter: 'report', crawl: null },
    });
  }

  /** What the metadata of the page say. */
  async declared(respectUse?: ContentUse): Promise<DeclaredUse | undefined> {
    const result = await this.fetch(respectUse);
    if (result.kind !== 'document') throw new Error(`no document: ${JSON.stringify(result)}`);
    return result.document.metadata.contentUse;
  }

  private file(request: HttpRequest): HttpResponse {
    const url = String(request.url);
    this.requested.push(url);
    if (url.includes('private')) throw new BlockedUrlError('dns', url);
    const file = this.files[url] ?? 404;
    const status = typeof file === 'number' ? file : 200;
    const body = new Uint8Array(Buffer.from(typeof file === 'number' ? '' : file));
    return { status, body, truncation: null } as HttpResponse;
  }

  private rung(): FetchRung {
    return {
      ...{ rung: 'plain', fetchMethod: 'plain', network: 'ours', runsScripts: false },
      costMicroUsd: 0,
      fetch: async ({ url, onRedirect }): Promise<RungResult> => {
        this.requested.push(url.href);
        const { head = '', headers = {}, movesTo } = this.page;
        const final = movesTo ?? url.href;
        if (movesTo !== undefined) await onRedirect?.(new URL(movesTo));
        const body = new TextEncoder().encode(`<!doctype html><head>${head}</head><p>${TEXT}`);
        const page = {
          ...{ url: final, statusCode: 200, contentType: 'text/html', headers, body },
          ...{ bytes: body.length, isCut: false, redirects: [], timings: {}, isRendered: false },
        };
        return { ok: true, page };
      },
    } as FetchRung;
  }
}

const ROBOTS = `${SITE}/robots.txt`;
const TDM = `${SITE}/.well-known/tdmrep.json`;
const RSL = `${SITE}/rsl.xml`;
const NO_TRAINING = 'User-agent: *\nContent-Signal: search=yes, ai-train=no';
const RESERVED = '[{"location": "/", "tdm-reservation": 1, "tdm-policy": "/tdm.json"}]';
const SEARCH_ONLY =
  '<rsl><content url="/"><license><permits type="usage">search</permits></license></content></rsl>';

describe('what a site declares about the use of a page', () => {
  it.each<[string, Files, PageOver, DeclaredUse | undefined]>([
    ['of robots.txt', { [ROBOTS]: NO_TRAINING }, {}, { search: true, aiTrain: false, sources: ['robots.txt'] }],
    ['of its licence, which is not read', { [ROBOTS]: `License: ${RSL}`, [RSL]: SEARCH_ONLY }, {}, { license: RSL, sources: ['robots.txt'] }],
    ['of a header', {}, { headers: { 'content-usage': 'train-ai=n' } }, { aiTrain: false, sources: ['header'] }],
    ['of the page', {}, { head: '<meta name=tdm-reservation content=1>' }, { aiInput: false, aiTrain: false, sources: ['meta'] }],
    ['of all', { [ROBOTS]: NO_TRAINING }, { headers: { 'content-signal': 'ai-input=yes' } }, { search: true, aiInput: true, aiTrain: false, sources: ['header', 'robots.txt'] }],
    ['of the page that it moved to', { 'https://b.example/robots.txt': NO_TRAINING }, { movesTo: 'https://b.example/' }, { search: true, aiTrain: false, sources: ['robots.txt'] }],
    ['nowhere', { [TDM]: RESERVED }, {}, undefined],
  ])('is in its metadata: %s', async (_, files, page, declared) => {
    const fixture = new Fixture(files, page);
    expect(await fixture.declared()).toEqual(declared);
    expect(fixture.requested.filter((url) => /tdmrep|rsl/.test(url))).toEqual([]);
  }); // prettier-ignore

  it('is not looked for where robots.txt is ignored', async () => {
    const fixture = new Fixture({ [ROBOTS]: NO_TRAINING });
    expect(await fixture.fetch(undefined, true)).toMatchObject({ kind: 'document' });
    expect(fixture.requested).toEqual([`${SITE}/page`]);
  });
});

describe('a use that is to be respected', () => {
  const TRAIN = 'ai-train';
  it.each<[string, ContentUse, Files]>([
    ['robots.txt', TRAIN, { [ROBOTS]: NO_TRAINING }],
    ['tdmrep.json', TRAIN, { [TDM]: RESERVED }],
    ['tdmrep.json, for answers', 'ai-input', { [TDM]: RESERVED }],
    ['a licence', 'ai-input', { [ROBOTS]: `License: ${RSL}`, [RSL]: SEARCH_ONLY }],
    ['the second licence', TRAIN, { [ROBOTS]: `License: ${SITE}/a.xml\nLicense: /rsl.xml`, [RSL]: SEARCH_ONLY }],
    ['a licence elsewhere', TRAIN, { [ROBOTS]: 'License: https://l.example/r.xml', 'https://l.example/r.xml': SEARCH_ONLY }],
  ])('is refused by %s before the page is requested', async (_, use, files) => {
    const fixture = new Fixture(files);
    expect(await fixture.fetch(use)).toMatchObject({
      ...{ kind: 'failed', errorClass: 'robots', statusCode: null },
      refusedUse: { [use === TRAIN ? 'aiTrain' : 'aiInput']: false },
    });
    expect(fixture.requested).not.toContain(`${SITE}/page`);
  }); // prettier-ignore

  it.each<[string, Files, PageOver]>([
    ['a header', {}, { headers: { 'content-signal': 'ai-train=no' } }],
    ['the page', {}, { head: '<meta name=tdm-reservation content=1>' }],
    ['a licence that the page names', { [RSL]: SEARCH_ONLY }, { head: '<link rel=license type=application/rsl+xml href=/rsl.xml>' }],
    ['a licence that a header names', { [RSL]: SEARCH_ONLY }, { headers: { link: '</rsl.xml>; rel=license; type="application/rsl+xml"' } }],
    ['the site that the page moved to', { 'https://b.example/robots.txt': NO_TRAINING }, { movesTo: 'https://b.example/' }],
  ])('is refused by %s without its content', async (_, files, page) => {
    const result = await new Fixture(files, page).fetch(TRAIN);
    expect(result).toMatchObject({ kind: 'failed', refusedUse: { aiTrain: false } });
    expect(JSON.stringify(result)).not.toContain('Words of a page');
  }); // prettier-ignore

  it.each<[string, ContentUse, Files, PageOver]>([
    ['that robots.txt allows', 'search', { [ROBOTS]: NO_TRAINING }, {}],
    ['that nothing names', 'ai-input', { [ROBOTS]: NO_TRAINING }, {}],
    ['that TDMRep does not speak of', 'search', { [TDM]: RESERVED }, {}],
    ['that the page frees', TRAIN, {}, { headers: { 'tdm-reservation': '1' }, head: '<meta name=tdm-reservation content=0>' }],
    ['of a site without any of this', TRAIN, {}, {}],
    ['that a missing licence is for', TRAIN, { [ROBOTS]: `License: ${RSL}` }, {}],
    ['that a licence at a private address is for', TRAIN, { [ROBOTS]: 'License: http://private.example/' }, {}],
  ])('%s is granted', async (_, use, files, page) => {
    expect(await new Fixture(files, page).fetch(use)).toMatchObject({ kind: 'document' });
  }); // prettier-ignore

  it('has what the files say in its metadata', async () => {
    const files = {
      [ROBOTS]: `License: ${RSL}\n${NO_TRAINING}`,
      [RSL]: SEARCH_ONLY,
      [TDM]: '[{"location": "/", "tdm-reservation": 0}]',
    };
    expect(await new Fixture(files).declared('search')).toEqual({
      ...{ search: true, aiInput: false, aiTrain: false, license: RSL },
      sources: ['tdmrep.json', 'robots.txt', 'rsl'],
    });
  });

  it('is refused in a sentence with what to do', async () => {
    const { problem } = (await new Fixture({ [TDM]: RESERVED }).fetch(TRAIN)) as {
      readonly problem: string;
    };
    expect(problem).toBe(
      'Fetch failed: the site does not allow ai-train of this page (declared in tdmrep.json; its terms are at https://a.example/tdm.json), and `respectUse` requests to obey that. Leave it out for another use, or get the site\'s permission', // prettier-ignore
    );
  });

  it('waits for a licence that cannot be read now', async () => {
    const fixture = new Fixture({ [ROBOTS]: `License: ${RSL}`, [RSL]: 503 });
    const result = await fixture.fetch(TRAIN);
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'http_error', statusCode: 503 });
    expect(result).toMatchObject({ isRobotsUnread: true, retryAfterMs: 5_000 });
    expect(result).not.toHaveProperty('refusedUse');
    expect(fixture.requested).not.toContain(`${SITE}/page`);
  });

  it('lets no page name a request to another site', async () => {
    const head = '<link rel=license type=application/rsl+xml href=https://victim.example/x>';
    const fixture = new Fixture({ 'https://victim.example/x': SEARCH_ONLY }, { head });
    expect(await fixture.declared(TRAIN)).toEqual({
      license: 'https://victim.example/x',
      sources: ['meta'],
    });
    expect(fixture.requested.some((url) => url.includes('victim'))).toBe(false);
  });

  it('reads each file of a site once, and three licences at most', async () => {
    const licenses = [1, 2, 3, 4].map((n) => `License: ${SITE}/${n}-rsl.xml`).join('\n');
    const fixture = new Fixture({ [ROBOTS]: licenses });
    await fixture.fetch(TRAIN);
    await fixture.fetch(TRAIN);
    const files = fixture.requested.filter((url) => !url.endsWith('/page'));
    expect(files).toEqual([ROBOTS, TDM, ...[1, 2, 3].map((n) => `${SITE}/${n}-rsl.xml`)]);
  });
});
