import type {
  CascadeReport,
  Listing,
  MarkdownParts,
  OutputValues,
  PageDocument,
  PageMetadata,
  ParsedFile,
} from '@app/contracts';

/**
 * The wire form of one page, as `/v1/crawl/:id/results`, the result file and `/v1/scrape` show it.
 * Crawled pages are stored in this form, so that reading results never converts a document again.
 */
export interface ResultDocument extends Partial<OutputValues> {
  readonly url: string;
  readonly ok: true;
  readonly statusCode: number;
  readonly partial?: true;
  readonly partial_reason?: string;
  readonly fallback?: { readonly used: true; readonly from: string; readonly to: string };
  readonly metadata: PageMetadata & {
    readonly sourceURL: string;
    readonly contentType?: string;
    readonly fetchMethod: string;
    readonly latencyMs: number;
    readonly cached: boolean;
    readonly cacheAgeMs?: number;
    /** Signals behind the assessment of the page, when it is not plainly complete. */
    readonly signals?: readonly string[];
    readonly redirects?: readonly { readonly url: string; readonly statusCode: number }[];
  };
  readonly cascade: ResultCascade;
  readonly unblock: ResultUnblock;
}

interface ResultCascade {
  readonly level: number | null;
  readonly attempts: readonly {
    readonly rung: string;
    readonly level: number;
    readonly ok: boolean;
    readonly latency_ms: number;
    readonly error_class: string | null;
    readonly refused_navigation?: string;
  }[];
  /** Present when the host memory made the cascade skip lower rungs. */
  readonly remembered?: {
    readonly rung: string;
    readonly error_class: string;
    readonly age_ms: number;
  };
}

interface ResultUnblock {
  readonly attempts: readonly {
    readonly provider: string;
    readonly ok: boolean;
    readonly latency_ms: number;
    readonly error_class: string | null;
    readonly outcome: string;
    readonly cost_class: string;
  }[];
}

/** What a page and any document but a PDF say of their fetch. */
type FetchFacts = Pick<ResultDocument, 'metadata' | 'cascade' | 'unblock'>;

/**
 * The wire form of a document file in place of a page. For a PDF the specification lists five fields; others say how they
 * were fetched, too ("cascade: non-PDF responses").
 */
export interface ResultFile extends Partial<FetchFacts & Pick<ResultDocument, 'statusCode'>> {
  readonly url: string;
  readonly ok: true;
  readonly isPdf: boolean;
  /** Present when it is no PDF. */
  readonly format?: Exclude<ParsedFile['format'], 'pdf'>;
  readonly markdown: string;
  readonly text: string;
  readonly passages?: MarkdownParts['passages'];
  readonly markdownCut?: MarkdownParts['markdownCut'];
  readonly partial?: true;
  readonly partial_reason?: string;
}

export function toResultFile(
  page: PageDocument,
  { format, markdown, text, truncatedBy, passages, markdownCut }: ParsedFile,
): ResultFile {
  const reason = page.partialReason ?? truncatedBy;
  return {
    url: page.url,
    ok: true,
    isPdf: format === 'pdf',
    ...(format === 'pdf' ? {} : { format, statusCode: page.statusCode, ...fetchFacts(page) }),
    markdown,
    text,
    ...(passages ? { passages } : {}),
    ...(markdownCut ? { markdownCut } : {}),
    ...(reason === undefined ? {} : { partial: true as const, partial_reason: reason }),
  };
}

/** @param values the outputs to show of it */
export function toResultDocument(
  page: PageDocument,
  values: Partial<OutputValues>,
): ResultDocument {
  return {
    url: page.url,
    ok: true,
    statusCode: page.statusCode,
    ...values,
    ...(page.partialReason === undefined
      ? {}
      : { partial: true as const, partial_reason: page.partialReason }),
    ...(page.fallback === undefined ? {} : { fallback: { used: true as const, ...page.fallback } }),
    ...fetchFacts(page),
  };
}

function fetchFacts(page: PageDocument): FetchFacts {
  return {
    metadata: {
      ...page.metadata,
      sourceURL: page.sourceUrl,
      ...(page.contentType === null ? {} : { contentType: page.contentType }),
      fetchMethod: page.fetchMethod,
      latencyMs: page.latencyMs,
      cached: page.cacheAgeMs !== undefined,
      ...(page.cacheAgeMs === undefined ? {} : { cacheAgeMs: page.cacheAgeMs }),
      ...(page.signals === undefined ? {} : { signals: page.signals }),
      ...(page.redirects === undefined ? {} : { redirects: page.redirects }),
    },
    cascade: toResultCascade(page.cascade),
    unblock: toResultUnblock(page.cascade),
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
      ...(attempt.refusedNavigation === undefined
        ? {}
        : { refused_navigation: attempt.refusedNavigation }),
    })),
    ...(report.remembered === undefined
      ? {}
      : {
          remembered: {
            rung: report.remembered.rung,
            error_class: report.remembered.errorClass,
            age_ms: report.remembered.ageMs,
          },
        }),
  };
}

export function toResultUnblock({ unblock }: CascadeReport): ResultUnblock {
  return {
    attempts: unblock.map((attempt) => ({
      provider: attempt.provider,
      ok: attempt.ok,
      latency_ms: attempt.latencyMs,
      error_class: attempt.errorClass,
      outcome: attempt.outcome,
      cost_class: attempt.costClass,
    })),
  };
}

/** A listing, without its provenance unless the caller requests it. */
export function toResultListing(
  listing: Listing | null | undefined,
  isProvenanceWanted: boolean,
): Listing | Omit<Listing, '_provenance'> | null {
  if (!listing) return null;
  if (isProvenanceWanted) return listing;
  const { _provenance, ...shown } = listing;
  return shown;
}
