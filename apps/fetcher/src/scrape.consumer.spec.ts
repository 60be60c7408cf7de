import type { Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type CascadeReport,
  type PageDocument,
  type ScrapeTask,
} from '@app/contracts';
import { createLogger, Metrics } from '@app/telemetry';
import type { CachedPage } from './page-cache.js';
import type { PageResult } from './page-result.js';
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

function task(over: Partial<ScrapeTask> = {}): ScrapeTask {
  return {
    requestId: 'r',
    tenantId: 't',
    url: 'http://a.example/',
    formats: ['markdown'],
    includeHtml: false,
    ignoreRobotsTxt: false,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    listing: true,
    llm: null,
    chunks: false,
    maxAgeMs: 1_000,
    minAgeMs: null,
    upload: false,
    deadlineAtMs: Deadline.after(10_000).atMs,
    ...over,
  };
}

/** The answer of a fetcher without a browser whose cache holds one copy. */
function answer(kind: CachedPage['kind'], asked: ScrapeTask, result?: PageResult) {
  const copy: CachedPage = { kind, document: DOCUMENT, ageMs: 5, validators: {}, copyId: 'c' };
  const options = {
    cache: { find: async () => copy, touch: async () => true, store: async () => true },
    pages: { fetch: async () => result },
    rungs: [],
    metrics: new Metrics(),
    log: createLogger({ component: 'spec', level: 'silent' }),
  } as unknown as ScrapeConsumerOptions;
  const delivery: Delivery = {
    task: asked,
    redelivered: false,
    publishedAtMs: 0,
    signal: new AbortController().signal,
  };
  return scrapeHandler(options)(delivery);
}

describe('a scrape that a copy answers', () => {
  it('tells who was asked whether the copy still holds, a paid provider above all', async () => {
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
    expect(await answer('stale', task({ fetch }))).toEqual({ kind: 'unavailable' });
  });
});
