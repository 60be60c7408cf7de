import type { CascadeReport } from './cascade.js';
import type { PageDocument, PageMetadata } from './tasks.js';

/**
 * The wire form of one page, as `/v1/crawl/:id/results`, the result file and `/v1/scrape` show it.
 * Crawled pages are stored in this form, so that reading results never converts a document again.
 */
export interface ResultDocument {
  readonly url: string;
  readonly ok: true;
  readonly statusCode: number;
  readonly markdown?: string;
  readonly rawHtml?: string;
  readonly links?: readonly string[];
  readonly partial?: true;
  readonly partial_reason?: string;
  readonly metadata: PageMetadata & {
    readonly sourceURL: string;
    readonly contentType?: string;
    readonly fetchMethod: string;
    readonly latencyMs: number;
    readonly cached: false;
  };
  readonly cascade: ResultCascade;
}

export interface ResultCascade {
  readonly level: number | null;
  readonly attempts: readonly {
    readonly rung: string;
    readonly level: number;
    readonly ok: boolean;
    readonly latency_ms: number;
    readonly error_class: string | null;
  }[];
}

export function toResultDocument(page: PageDocument): ResultDocument {
  return {
    url: page.url,
    ok: true,
    statusCode: page.statusCode,
    ...(page.markdown === undefined ? {} : { markdown: page.markdown }),
    ...(page.rawHtml === undefined ? {} : { rawHtml: page.rawHtml }),
    ...(page.links === undefined ? {} : { links: page.links }),
    ...(page.partialReason === undefined
      ? {}
      : { partial: true as const, partial_reason: page.partialReason }),
    metadata: {
      ...page.metadata,
      sourceURL: page.sourceUrl,
      ...(page.contentType === null ? {} : { contentType: page.contentType }),
      fetchMethod: page.fetchMethod,
      latencyMs: page.latencyMs,
      cached: false,
    },
    cascade: toResultCascade(page.cascade),
  };
}

export function toResultCascade(report: CascadeReport): ResultCascade {
  return {
    level: report.level,
    attempts: report.attempts.map((attempt) => ({
      rung: attempt.rung,
      level: attempt.level,
      ok: attempt.ok,
      latency_ms: attempt.latencyMs,
      error_class: attempt.errorClass,
    })),
  };
}
