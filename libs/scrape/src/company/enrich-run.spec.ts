import type {
  CompanyPage,
  BrandReading,
  BrandReply,
  EnrichReply,
  EnrichTask,
  Enrichment,
} from '@app/company';
import { Deadline, NO_USAGE, type LlmOutput, type PageDocument } from '@app/contracts';
import type { TechReason, TechReport } from '@app/tech';
import { createLogger } from '@app/telemetry';
import type { ModelReader } from '../models/model-reader.js';
import type { CachedPage, PageCache } from '../page-cache/page-cache.js';
import type { PageRequest, PageResult } from '../page/page-result.js';
import type { TechScans } from '../tech/tech-scans.js';
import { EnrichmentCache } from './enrichment-cache.js';
import { EnrichRun, type EnrichRunOptions } from './enrich-run.js';

const SITE = 'http://a.example';
const USAGE = { ...NO_USAGE, model: 'm', calls: 1, costMicroUsd: 9 };

const BRAND: BrandReading = {
  domain: 'a.example',
  colors: [],
  fonts: [],
  socials: {},
  confidence: 0,
  provenance: {},
  reasons: [],
  freshness: '2026-01-01T00:00:00.000Z',
};

function task(over: Partial<EnrichTask> = {}): EnrichTask {
  return {
    requestId: 'r',
    tenantId: 't',
    plan: 'pro',
    url: `${SITE}/`,
    pages: 'fixed',
    maxPages: 7,
    includeEmails: true,
    includeTech: true,
    includeTeam: true,
    includeBrand: false,
    deepTech: false,
    useModel: false,
    maxAgeMs: 0,
    deadlineAtMs: Deadline.after(60_000).atMs,
    ...over,
  };
}

function company(url: string, over: Partial<CompanyPage> = {}): CompanyPage {
  const empty = {
    emails: [],
    phones: [],
    profiles: [],
    team: [],
    homepage: {},
    place: {},
    links: [],
  };
  return { url, ...empty, ...over };
}

interface PageWishes extends Partial<CompanyPage> {
  readonly finalPath?: string;
  readonly markdown?: string;
  readonly rawHtml?: string;
  readonly isNoStore?: boolean;
  readonly isHtml?: boolean;
}

function page(path: string, wishes: PageWishes = {}): PageResult {
  const { finalPath = path, markdown, rawHtml, isNoStore = false, isHtml = true, ...over } = wishes;
  const url = `${SITE}${finalPath}`;
  return {
    kind: 'document',
    document: { url, markdown, rawHtml },
    isNoStore,
    scanInput: new TextEncoder().encode(finalPath),
    ...(isHtml ? { company: company(url, over) } : {}),
  } as unknown as PageResult;
}

const MISSING = { kind: 'failed', problem: 'Fetch failed: HTTP 404' } as unknown as PageResult;

type Answer = PageResult | ((request: PageRequest) => Promise<PageResult>);

describe('an enrichment', () => {
  let asked: string[];
  let requests: PageRequest[];
  let scanned: [string, string][];
  let orders: (readonly string[])[];
  let noted: unknown[];
  let kept: PageDocument[];
  let copy: CachedPage | null;
  let techReasons: TechReason[];

  beforeEach(() => {
    [asked, requests, scanned, noted, kept, copy, techReasons] = [[], [], [], [], [], null, []];
    orders = [];
  });

  interface Fixture extends Partial<EnrichRunOptions> {
    readonly rendered?: PageResult;
  }

  async function run(
    site: Readonly<Record<string, Answer>>,
    over: Partial<EnrichTask> = {},
    { rendered = MISSING, ...options }: Fixture = {},
  ): Promise<EnrichReply> {
    const fetch = async (request: PageRequest): Promise<PageResult> => {
      const path = new URL(request.url).pathname;
      asked.push(path);
      requests.push(request);
      const answer = site[path] ?? MISSING;
      return typeof answer === 'function' ? answer(request) : answer;
    };
    const report = async (order: readonly string[]): Promise<TechReport> => {
      orders.push(order);
      return {
        technologies: [{ name: 'Nginx', category: 'Web servers', confidence: 1 }],
        reasons: techReasons,
        scannedBytes: 1,
        durationMs: 1,
      };
    };
    const scans = {
      open: () => ({
        add: (name: string, input: Uint8Array) =>
          void scanned.push([name, new TextDecoder().decode(input)]),
        note: (found: unknown) => void noted.push(found),
        report,
      }),
      deep: {
        render: async (url: string, _: unknown, watched: (r: PageRequest) => Promise<unknown>) => {
          await watched({ url, deadline: Deadline.after(1_000) } as unknown as PageRequest);
          return { input: new TextEncoder().encode('rendered'), reasons: [], sources: ['runtime'] };
        },
      },
      fetchWatched: async () => rendered,
    } as unknown as TechScans;
    const cache = {
      find: async () => copy,
      store: async (_t: string, _v: string, document: PageDocument) => kept.push(document) > 0,
    } as unknown as PageCache;
    const { signal } = new AbortController();
    return new EnrichRun(task(over), signal, {
      pages: { fetch },
      scans,
      brands: { read: async () => ({ kind: 'brand', brand: BRAND }) },
      cache: new EnrichmentCache(cache),
      models: null,
      llmBudgetMicroUsd: 100,
      llmTimeoutMs: 3_000,
      log: createLogger({ component: 'spec', level: 'silent' }),
      ...options,
    }).reply();
  }

  async function enrich(...args: Parameters<typeof run>): Promise<Enrichment> {
    const reply = await run(...args);
    if (reply.kind !== 'enriched') throw new Error(JSON.stringify(reply));
    return reply.enrichment;
  }

  it('combines the homepage and the usual pages', async () => {
    const found = await enrich({
      '/': page('/', { homepage: { title: 'A' }, emails: ['hi@a.example'] }),
      '/about': page('/about', { team: [{ name: 'Ann Bee' }] }),
      '/contact': page('/contact', { emails: ['HI@a.example', 'jobs@a.example'] }),
    });
    expect(found).toMatchObject({
      domain: 'a.example',
      emails: ['hi@a.example', 'jobs@a.example'],
      team: [{ name: 'Ann Bee' }],
      homepage: { title: 'A' },
      pagesCrawled: 3,
      completeness: 4 / 8,
      brand: null,
      isByModel: false,
    });
    expect(asked.toSorted()).toEqual(
      ['/', '/about', '/about-us', '/contact', '/contact-us', '/our-team', '/team'].toSorted(),
    );
    expect(
      requests.every(
        ({ outputs: { company, scan, markdown }, ignoreRobotsTxt }) =>
          company && scan && !markdown && !ignoreRobotsTxt,
      ),
    ).toBe(true);
  });

  it('reads the pages that the homepage leads to', async () => {
    const links = [{ url: `${SITE}/who/team`, text: 'Our team' }];
    const found = await enrich(
      { '/': page('/', { links }), '/who/team': page('/who/team') },
      { pages: 'chosen', maxPages: 10 },
    );
    expect([asked, found.pagesCrawled]).toEqual([['/', '/who/team'], 2]);
  });

  it('counts and scans addresses that lead to one page once', async () => {
    const found = await enrich({
      '/': page('/'),
      '/about': page('/about', { finalPath: '/company/' }),
      '/about-us': page('/about-us', { finalPath: '/company' }),
      '/team': page('/team', { finalPath: '/' }),
      '/contact': page('/contact'),
    });
    expect(found.pagesCrawled).toBe(3);
    expect(orders).toEqual([['rendered', ...['/', '/company', '/contact'].map((at) => SITE + at)]]);
  });

  it('is the same in any order of responses', async () => {
    const about = page('/about', { emails: ['a@b.example'] });
    const contact = page('/contact', { emails: ['c@d.example'] });
    const inOrder = await enrich({ '/': page('/'), '/about': about, '/contact': contact });
    const { promise: contactCame, resolve } = Promise.withResolvers<void>();
    const outOfOrder = await enrich({
      '/': page('/'),
      '/about': async () => {
        await contactCame;
        return about;
      },
      '/contact': async () => {
        setImmediate(resolve);
        return contact;
      },
    });
    expect({ ...outOfOrder, latencyMs: 0 }).toEqual({ ...inOrder, latencyMs: 0 });
    expect(orders[1]).toEqual(orders[0]);
    expect(scanned.slice(3).toSorted()).toEqual(scanned.slice(0, 3).toSorted());
  });

  it('requests no more pages than allowed', async () => {
    await enrich({ '/': page('/') }, { maxPages: 1 });
    expect(asked).toEqual(['/']);
  });

  it.each<[string, Partial<EnrichTask>, Partial<Enrichment>]>([
    ['e-mail addresses', { includeEmails: false }, { emails: [] }],
    ['the team', { includeTeam: false }, { team: [] }],
    ['technologies', { includeTech: false }, { tech: null }],
  ])('leaves out %s when they are not wanted', async (_what, over, expected) => {
    const home = page('/', { emails: ['a@a.example'], team: [{ name: 'Ann Bee' }] });
    expect(await enrich({ '/': home }, over)).toMatchObject(expected);
    expect(requests[0]?.outputs.scan).toBe(over.includeTech ?? true);
  });

  it.each<[string, PageResult, EnrichReply]>([
    ['cannot be fetched', MISSING, { kind: 'failed', problem: 'Fetch failed: HTTP 404' }],
    ['is private', { kind: 'blocked', url: 'x' }, { kind: 'blocked', url: `${SITE}/` }],
    [
      'is no page of HTML',
      page('/', { isHtml: false }),
      { kind: 'failed', problem: 'Fetch failed: the homepage is no HTML page' },
    ],
  ])('is none when the homepage %s', async (_what, home, reply) => {
    expect(await run({ '/': home })).toEqual(reply);
    expect(asked).toEqual(['/']);
  });

  it('has the pages that arrived within its time', async () => {
    // A timer, and not the time: a busy machine is as late for the one as for the other.
    let isLate = false;
    const bound = setTimeout(() => (isLate = true), 900);
    const found = await enrich(
      {
        '/': page('/', { emails: ['a@a.example'] }),
        '/about': () => new Promise(() => undefined),
        '/about-us': page('/about-us', { phones: [] }),
      },
      { deadlineAtMs: Deadline.after(600).atMs },
    );
    expect(isLate).toBe(false);
    clearTimeout(bound);
    expect(found).toMatchObject({ emails: ['a@a.example'], pagesCrawled: 2 });
    expect(kept).toEqual([]);
  });

  it('is none when the homepage does not arrive in time', async () => {
    const reply = await run(
      { '/': () => new Promise(() => undefined) },
      { deadlineAtMs: Deadline.after(200).atMs },
    );
    expect(reply).toEqual({ kind: 'failed', problem: 'Fetch failed: timeout' });
  });

  it('continues after an internal error of the brand or a deep scan, and does not store the result', async () => {
    const brands = { read: () => Promise.reject(new Error('our own fault')) };
    const wanted = { includeBrand: true, deepTech: true };
    const rendered = Promise.reject(new Error('our own fault')) as unknown as PageResult;
    const found = await enrich({ '/': page('/') }, wanted, { brands, rendered });
    expect([found.brand, found.pagesCrawled, kept]).toEqual([null, 1, []]);
    expect(noted).toEqual([{ reasons: ['render_failed'], sources: ['html'] }]);
  });

  it('continues after an internal error of a page, and does not store the result', async () => {
    const found = await enrich({
      '/': page('/'),
      '/team': () => Promise.reject(new Error('our own fault')),
      '/contact': page('/contact'),
    });
    expect([found.pagesCrawled, kept]).toEqual([2, []]);
  });

  it('renders the homepage for a deep scan, next to the pages as they were fetched', async () => {
    await enrich({ '/': page('/'), '/about': page('/about') }, { deepTech: true });
    expect(noted).toEqual([{ reasons: [], sources: ['html', 'runtime'] }]);
    expect(scanned.toSorted()).toEqual([
      [`${SITE}/`, '/'],
      [`${SITE}/about`, '/about'],
      ['rendered', 'rendered'],
    ]);
  });

  it('renders no page when technologies are not requested', async () => {
    await enrich({ '/': page('/') }, { deepTech: true, includeTech: false });
    expect(noted).toEqual([]);
  });

  describe('with a brand', () => {
    const read = async (reply: BrandReply) => {
      const asked: unknown[] = [];
      const brands: EnrichRunOptions['brands'] = {
        read: async (question) => {
          asked.push(question);
          return reply;
        },
      };
      const home = page('/', { finalPath: '/en/', rawHtml: '<p>home</p>' });
      const found = await enrich({ '/': home }, { includeBrand: true }, { brands });
      return { found, asked };
    };

    it('reads it from the homepage that was fetched', async () => {
      const { found, asked } = await read({ kind: 'brand', brand: BRAND });
      expect(found.brand).toBe(BRAND);
      expect(asked).toMatchObject([
        { url: `${SITE}/`, tenantId: 't', page: { url: `${SITE}/en/`, html: '<p>home</p>' } },
      ]);
      expect(requests.map(({ outputs }) => outputs.rawHtml)).toEqual([
        true,
        ...requests.slice(1).map(() => false),
      ]);
      expect(kept.length).toBe(1);
    });

    it('is no failure without it, but is not stored', async () => {
      const { found } = await read({ kind: 'failed', problem: 'no' });
      expect([found.brand, kept]).toEqual([null, []]);
    });
  });

  describe('with a model', () => {
    const site = {
      '/': page('/', { markdown: 'Welcome' }),
      '/team': page('/team', { markdown: 'Ann Bee leads us.' }),
    };
    const readTeam = (output: Partial<LlmOutput>, over: Partial<EnrichTask> = {}) => {
      const read = async () => ({ usage: USAGE, ...output });
      const models = { read } as unknown as ModelReader;
      return enrich(site, { useModel: true, ...over }, { models });
    };

    it('finds people without markup, and reports it', async () => {
      expect(await readTeam({ json: { team: [{ name: 'Ann Bee' }] } })).toMatchObject({
        team: [{ name: 'Ann Bee' }],
        isByModel: true,
        usage: USAGE,
      });
      expect(requests[0]?.outputs.markdown).toBe(true);
    });

    it('reserves its time from the fetching', async () => {
      await readTeam({ json: { team: [] } });
      expect(requests[0]?.deadline.remainingMs()).toBeLessThan(60_000 - 3_000);
    });

    it('is deterministic when the model fails, and is charged', async () => {
      const found = await readTeam({ problem: 'llm_failed' });
      expect(found).toMatchObject({ isByModel: false, usage: USAGE });
      expect(kept).toEqual([]);
    });

    it('sends the model no request when the team is not requested', async () => {
      expect(await readTeam({}, { includeTeam: false })).not.toHaveProperty('usage');
    });
  });

  describe('that was stored', () => {
    const site = { '/': page('/', { emails: ['a@a.example'] }) };

    it('is the response when it is young enough: no request is sent and no model paid', async () => {
      const models = {
        read: async () => ({ usage: USAGE, json: { team: [] } }),
      } as unknown as ModelReader;
      const home = { '/': page('/', { emails: ['a@a.example'], markdown: 'text' }) };
      const fresh = await enrich(home, { useModel: true }, { models });
      copy = { kind: 'fresh', document: kept[0], ageMs: 77 } as unknown as CachedPage;
      asked = [];
      const again = await enrich(home, { maxAgeMs: 1_000, useModel: true }, { models });
      expect(again).toEqual({
        ...fresh,
        usage: { ...NO_USAGE, model: 'm' },
        cacheAgeMs: 77,
        latencyMs: expect.any(Number),
      });
      expect(asked).toEqual([]);
    });

    it('is not read unless the request accepts it', async () => {
      await enrich(site);
      copy = { kind: 'fresh', document: kept[0], ageMs: 77 } as unknown as CachedPage;
      expect(await enrich(site)).not.toHaveProperty('cacheAgeMs');
    });

    it.each<[string, Readonly<Record<string, Answer>>, readonly TechReason[]]>([
      ['a page forbids it', { '/': page('/', { isNoStore: true }) }, []],
      ['no scanner runs', site, ['queue_timeout']],
      ['the scans ran out of time', site, ['request_budget']],
    ])('is none when %s', async (_why, pages, reasons) => {
      techReasons = [...reasons];
      await enrich(pages);
      expect(kept).toEqual([]);
    });

    it('is one although a page was larger than is scanned', async () => {
      techReasons = ['html_cap'];
      await enrich(site);
      expect(kept.length).toBe(1);
    });
  });
});
