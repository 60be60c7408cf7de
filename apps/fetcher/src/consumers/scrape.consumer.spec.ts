import type { Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type CascadeReport,
  type FetchOptions,
  type LlmOutput,
  type PageDocument,
  type ScrapeTask,
  NO_USAGE as USAGE,
} from '@app/contracts';
import { MISSING_BROWSER, type FetchRung } from '@app/fetch';
import { createLogger, Metrics } from '@app/telemetry';
import type { CachedPage } from '../../../../libs/scrape/src/page-cache/page-cache.js';
import { markdownParts } from '@app/content';
import { ThreadTimeoutError, type PageRequest, type PageResult } from '@app/scrape';
import type { PartsTask } from '../../../../libs/scrape/src/content/page-parts.js';
import type { ReadLimits } from '../../../../libs/scrape/src/models/model-reader.js';
import { scrapeHandler, type ScrapeConsumerOptions } from './scrape.consumer.js';

const DOCUMENT: PageDocument = {
  url: 'http://a.example/',
  sourceUrl: 'http://a.example/',
  statusCode: 200,
  contentType: 'text/html',
  metadata: {},
  fetchMethod: 'plain',
  latencyMs: 1,
  cascade: { level: 1, attempts: [], unblock: [] },
};

/** Those of a fetcher without a browser. */
const RUNGS: readonly FetchRung[] = [
  { ...MISSING_BROWSER, rung: 'plain', fetchMethod: 'plain', runsScripts: false },
  MISSING_BROWSER,
];

function task(over: Partial<ScrapeTask> = {}): ScrapeTask {
  return {
    requestId: 'r',
    tenantId: 't',
    plan: 'pro',
    url: 'http://a.example/',
    formats: ['markdown'],
    includeHtml: false,
    ignoreRobotsTxt: false,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    listing: true,
    llm: null,
    allowVision: true,
    chunks: false,
    maxAgeMs: 1_000,
    minAgeMs: null,
    upload: false,
    deadlineAtMs: Deadline.after(60_000).atMs,
    ...over,
  };
}

/** The reply of a fetcher without a browser whose cache has one copy. */
function answer(
  kind: CachedPage['kind'],
  asked: ScrapeTask,
  result?: PageResult,
  {
    requests = [] as PageRequest[],
    rungs = RUNGS,
    document = DOCUMENT,
    content = {} as object,
    models = null as ScrapeConsumerOptions['models'],
  } = {},
) {
  const copy: CachedPage = { kind, document, ageMs: 5, validators: {}, copyId: 'c' };
  const options = {
    cache: { find: async () => copy, touch: async () => true, store: async () => true },
    pages: {
      fetch: async (request: PageRequest) => {
        requests.push(request);
        return result;
      },
    },
    ...{ rungs, content, models, llmBudgetMicroUsd: 500, llmTimeoutMs: 10_000 },
    metrics: new Metrics(),
    log: createLogger({ component: 'spec', level: 'silent' }),
  } as unknown as ScrapeConsumerOptions;
  const delivery: Delivery = {
    task: asked,
    redelivered: false,
    publishedAtMs: 0,
    owner: null,
    traceparent: null,
    signal: new AbortController().signal,
  };
  return scrapeHandler(options)(delivery);
}

describe('the browser context of a scrape', () => {
  const keyOf = async (over: Partial<ScrapeTask> = {}): Promise<string | null> => {
    const requests: PageRequest[] = [];
    const rungs = [...RUNGS, { ...MISSING_BROWSER }];
    await answer('stale', task(over), { kind: 'blocked', url: '' }, { requests, rungs });
    const [request] = requests;
    if (request === undefined) throw new Error('no page was requested');
    return request.render.contextKey;
  };
  const withFetch = (fetch: Partial<FetchOptions>): Partial<ScrapeTask> => ({
    fetch: { ...DEFAULT_FETCH_OPTIONS, ...fetch },
  });

  it('is that of its tenant and host', async () => {
    expect(await keyOf()).toBe('scrapes t a.example');
    expect(await keyOf({ url: 'http://a.example/other' })).toBe('scrapes t a.example');
    expect(await keyOf({ tenantId: 'u' })).toBe('scrapes u a.example');
    expect(await keyOf({ url: 'http://a.example:8080/' })).toBe('scrapes t a.example:8080');
  });

  it.each<[string, Partial<FetchOptions>]>([
    ['headers', { headers: { a: 'b' } }],
    ['cookies', { cookies: 'a=b' }],
    ['a profile', { profile: 'shop' }],
    ['actions', { actions: [{ type: 'pdf' }] }],
    ['a place', { country: 'DE' }],
  ])('is its own with %s', async (_name, fetch) => {
    expect(await keyOf(withFetch(fetch))).toBeNull();
  });
});

describe('parts of a page', () => {
  const MARKDOWN = `# Tea\n\n${'Leaves are dried in the sun. '.repeat(40)}\n\n## Price\n\nA pot costs four euros.\n`;
  const asked = { passages: { query: 'What does a pot cost?', max: 1 }, maxTokens: 100 };
  const ask = (document: Partial<PageDocument>, content: object = {}) =>
    answer('fresh', task(asked), undefined, {
      document: { ...DOCUMENT, ...document },
      content: {
        parts: async ({ wanted, ...page }: PartsTask) => markdownParts(page, wanted),
        ...content,
      },
    });

  it.each([
    ['a page', { markdown: MARKDOWN }, ''],
    ['a document', { file: { format: 'pdf' as const, markdown: MARKDOWN, text: '' } }, 'file.'],
  ])('are found in the copy of %s, which is kept whole', async (_, document, at) => {
    const reply = await ask(document);
    expect(reply).toMatchObject({
      document: {
        passages: [{ headings: ['Tea', 'Price'] }],
        markdownCut: { leftOut: ['Price'] },
      },
    });
    expect(reply).toHaveProperty(
      `document.${at}markdown`,
      expect.stringMatching(/^# Tea[^#]+\[Cut here: about/),
    );
  });

  it('that are not found in time fail the scrape', async () => {
    const parts = () => Promise.reject(new ThreadTimeoutError('work'));
    expect(await ask({ markdown: MARKDOWN }, { parts })).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('its parts were not found in time'),
    });
  });
});

describe('passages that a model ranks', () => {
  const found = Array.from({ length: 30 }, (_, at) => ({ text: `Passage ${at}` }));
  const used = (costMicroUsd: number): LlmOutput['usage'] => ({ ...USAGE, calls: 1, costMicroUsd });
  const limitsSeen: ReadLimits[] = [];
  const models = {
    rank: async (_class: string, { passages }: { passages: object[] }, limits: ReadLimits) => {
      limitsSeen.push(limits);
      return { passages: passages.toReversed(), usage: used(7) };
    },
  } as unknown as NonNullable<ScrapeConsumerOptions['models']>;
  const ask = async (over: Parameters<typeof answer>[3], document: Partial<PageDocument> = {}) => {
    const passages = { query: 'a', max: 3, rerank: 'low' } as const;
    const wanted: number[] = [];
    const parts = async (asked: PartsTask) => {
      wanted.push(asked.wanted.passages?.max ?? 0);
      return { passages: found };
    };
    const reply = await answer('fresh', task({ passages }), undefined, {
      ...{ document: { ...DOCUMENT, markdown: 'a', ...document }, content: { parts } },
      ...over,
    });
    if (reply.kind !== 'document') throw new Error(reply.kind);
    expect(wanted).toEqual([20]);
    return reply.document as PageDocument;
  };
  const textsOf = ({ passages = [] }: PageDocument) => passages.map(({ text }) => text);

  it('are the best of twenty; the reply costs what that costs, not what its copy did', async () => {
    const document = await ask({ models }, { llm: { summary: 'A.', usage: used(90) } });
    expect(textsOf(document)).toEqual(['Passage 19', 'Passage 18', 'Passage 17']);
    expect(document).toMatchObject({
      llm: { summary: 'A.', usage: { costMicroUsd: 7 } },
    });
    expect(limitsSeen).toMatchObject([{ budgetMicroUsd: 500, tenantId: 't' }]);
  });

  it('are in the order of their words without a model, and the reply says so', async () => {
    const document = await ask({ models: null });
    expect(textsOf(document)).toEqual(['Passage 0', 'Passage 1', 'Passage 2']);
    expect(document.llm).toMatchObject({ problem: 'llm_failed', usage: { costMicroUsd: 0 } });
  });
});

describe('a scrape served from the cache', () => {
  it('reports the requests that validated the copy, especially those of a paid provider', async () => {
    const report: CascadeReport = {
      level: 1,
      attempts: [
        { rung: 'unblock', level: 0, ok: false, latencyMs: 3, errorClass: 'provider_error' },
        { rung: 'plain', level: 1, ok: true, latencyMs: 4, errorClass: null },
      ],
      unblock: [
        {
          provider: 'http',
          ok: false,
          latencyMs: 3,
          errorClass: 'provider_error',
          outcome: 'failed',
          costClass: 'paid',
        },
      ],
    };
    const reply = await answer('stale', task(), { kind: 'not_modified', report });
    expect(reply).toMatchObject({
      kind: 'document',
      document: { cacheAgeMs: 0, cascade: { ...report, level: null } },
    });
  });

  it('needs no browser, though the page would', async () => {
    const fetch = { ...DEFAULT_FETCH_OPTIONS, forceHeadless: true };
    const reply = await answer('fresh', task({ fetch }));
    expect(reply).toMatchObject({ kind: 'document', document: { cacheAgeMs: 5 } });
    const late = await answer('stale', task({ fetch }));
    expect(late).toEqual({ kind: 'unavailable', isPermanent: true });
  });
});

describe('a scrape that needs a browser, where none runs', () => {
  const failed = (...signals: string[]): PageResult => ({
    ...{ kind: 'failed', errorClass: 'unknown', problem: 'x', statusCode: null },
    ...{ retryAfterMs: null, report: { level: null, attempts: [], unblock: [] } },
    ...{ crawlDelayMs: undefined, signals },
  });

  it.each([
    ['is worth a retry while it does not start', ['browser_unavailable'], false],
    ['is not when none is configured', ['browser_unavailable', 'browser_missing'], true],
  ])('%s', async (_name, signals, isPermanent) => {
    const reply = await answer('stale', task(), failed(...signals));
    expect(reply).toEqual({ kind: 'unavailable', isPermanent });
  });
});

describe('a scrape with a model', () => {
  const USAGE = {
    model: 'm',
    calls: 1,
    inputTokens: 1,
    outputTokens: 1,
    costMicroUsd: 5,
    latencyMs: 1,
  };
  const asked = task({ llm: { modelClass: 'low', json: { schema: null }, summary: false } });

  /** The reply, the stored copy, the page's deadline, and the model's time. */
  async function read(output: Partial<LlmOutput>, over: Partial<ScrapeTask> = {}) {
    const seen = { stored: 0, pageDueAtMs: 0, modelMs: 0, budgetMicroUsd: 0 };
    const result = {
      kind: 'document',
      document: DOCUMENT,
      found: [],
      validators: {},
      screenshot: null,
    };
    const options = {
      cache: { find: async () => null, store: async () => ++seen.stored > 0 },
      pages: {
        fetch: async ({ deadline }: { deadline: Deadline }) => {
          seen.pageDueAtMs = deadline.atMs;
          return result;
        },
      },
      models: {
        read: async (_: unknown, __: unknown, terms: ReadLimits) => {
          seen.modelMs = terms.deadline.remainingMs();
          seen.budgetMicroUsd = terms.budgetMicroUsd;
          return { usage: USAGE, ...output };
        },
      },
      llmTimeoutMs: 3_000,
      llmBudgetMicroUsd: 100,
      rungs: RUNGS,
      metrics: new Metrics(),
      log: createLogger({ component: 'spec', level: 'silent' }),
    } as unknown as ScrapeConsumerOptions;
    const signal = new AbortController().signal;
    const delivery = {
      task: { ...asked, ...over },
      redelivered: false,
      publishedAtMs: 0,
      owner: null,
      traceparent: null,
      signal,
    };
    return { reply: await scrapeHandler(options)(delivery), seen };
  }

  it('reserves its time from the page, and uses no more than that', async () => {
    const { reply, seen } = await read({ json: { a: 1 } });
    expect(reply).toMatchObject({ kind: 'document', document: { llm: { json: { a: 1 } } } });
    expect(reply).not.toHaveProperty('document.partialReason');
    expect(seen.stored).toBe(1);
    expect(seen.pageDueAtMs).toBe(asked.deadlineAtMs - 3_000);
    expect(seen.modelMs).toBeLessThanOrEqual(3_000);
    expect(seen.budgetMicroUsd).toBe(100);
  });

  it.each<[string, Partial<LlmOutput>, string]>([
    ['nothing', { problem: 'llm_failed' }, 'llm_failed'],
    ['a part', { json: { a: 1 }, cut: 'llm_budget' }, 'llm_budget'],
  ])('is partial, and not cached, when the model returned %s', async (_, output, reason) => {
    const { reply, seen } = await read(output);
    expect(reply).toMatchObject({ kind: 'document', document: { partialReason: reason } });
    expect(seen.stored).toBe(0);
  });

  it('is not cached when no scrape could use the copy', async () => {
    expect((await read({ json: 1 }, { formats: [] })).seen.stored).toBe(0);
  });
});
