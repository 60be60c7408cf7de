import {
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type Deadline,
  type Plan,
} from '@app/contracts';
import type { TechReason, TechSource } from '@app/tech';
import { PLAIN_RENDER } from '@app/fetch';
import type { PageRequest, PageResult } from '../page/page-result.js';

/** Requests of one rendered page (specification: tech_meta, `request_cap`). */
export const MAX_REQUESTS = 300;
/** Time of a rendering reserved for its conversion; after it the budget counts as exceeded. */
const CONVERSION_MS = 1_000;

/** Share of the budget for the globals of a page that is slow to answer. */
const GLOBALS_SHARE = 0.2;

export interface DeepScanOptions {
  /** Paths of globals that fingerprints need. */
  readonly globalPaths: readonly string[];
  /** Of the whole rendering (specification: tech_meta, `deep_budget`). */
  readonly budgetMs: number;
}

export interface DeepScanTerms {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/** The result of a rendering. */
export interface DeepFindings {
  /** Scanned as another page; null: it did not render. */
  readonly input: Uint8Array | null;
  readonly reasons: readonly TechReason[];
  /** The data to match in addition to the fetched page. */
  readonly sources: readonly TechSource[];
}

/**
 * Fetches with the fetch methods that record a page's behaviour in a browser; null: its turn did not come in
 * time.
 */
export type FetchWatched = (request: PageRequest) => Promise<PageResult | null>;

/**
 * Renders a page and packs the data that fingerprints are matched against. Never rejects for a fault of the
 * page.
 */
export class DeepScan {
  constructor(private readonly options: DeepScanOptions) {}

  async render(url: string, terms: DeepScanTerms, fetch: FetchWatched): Promise<DeepFindings> {
    const deadline = terms.deadline.within(this.options.budgetMs);
    const result = await fetch(this.requestOf(url, { ...terms, deadline }));
    const isLate = deadline.remainingMs() <= Math.min(CONVERSION_MS, this.options.budgetMs / 10);
    return findingsOf(result, isLate);
  }

  private requestOf(url: string, { tenantId, plan, deadline, signal }: DeepScanTerms): PageRequest {
    const { globalPaths, budgetMs } = this.options;
    const globalsMs = budgetMs * GLOBALS_SHARE;
    return {
      url,
      deadline,
      signal,
      ignoreRobotsTxt: false,
      outputs: { scan: true },
      tenantId,
      plan,
      fetch: { ...DEFAULT_FETCH_OPTIONS, forceHeadless: true },
      content: DEFAULT_CONTENT_OPTIONS,
      render: { ...PLAIN_RENDER, watch: { globalPaths, globalsMs, maxRequests: MAX_REQUESTS } },
      onRetryAfter: 'wait',
      crawl: null,
    };
  }
}

function findingsOf(result: PageResult | null, isLate: boolean): DeepFindings {
  if (result?.kind === 'document' && result.watched && result.scanInput) {
    const { watched, scanInput } = result;
    const isCutShort = watched.isUnresponsive || (watched.isUnsettled && isLate);
    const reasons: TechReason[] = [
      ...(isCutShort ? (['deep_budget'] as const) : []),
      ...(watched.isCapped ? (['request_cap'] as const) : []),
    ];
    return { input: scanInput, reasons, sources: ['runtime', 'network'] };
  }
  const hasEnded = result === null || isLate || isTimeout(result);
  const reasons: TechReason[] = hasEnded ? ['deep_budget', 'render_failed'] : ['render_failed'];
  return { input: null, reasons, sources: [] };
}

function isTimeout(result: PageResult): boolean {
  return result.kind === 'failed' && result.errorClass === 'timeout';
}
