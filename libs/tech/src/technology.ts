/** Why a technology scan saw less than all of a page (specification: tech_meta). */
export const TECH_REASONS = [
  'time_budget',
  'html_cap',
  'tag_scan_cap',
  'value_cap',
  'item_cap',
  'inline_script_cap',
  'worker_terminated',
  'queue_timeout',
  'worker_error',
  'request_budget',
  'deep_budget',
  'request_cap',
  'render_failed',
  'tenant_cooldown',
] as const;
export type TechReason = (typeof TECH_REASONS)[number];

/** Input of a deep scan beyond the page itself. */
export const TECH_SOURCES = ['html', 'runtime', 'network'] as const;
export type TechSource = (typeof TECH_SOURCES)[number];

/** One technology found on a page or site (specification: Technology entry). */
export interface Technology {
  readonly name: string;
  readonly category: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Only when the page shows it. */
  readonly version?: string;
}

/** Input of fingerprint matching: one page as fetched. */
export interface ScanInput {
  /** Address after redirects. */
  readonly url: string;
  /** Names in lower case, all values of each. `set-cookie` is not among them. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Cookies the page set, value by name. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The decoded source; whatever it is longer than the caps is the scanner's to cut and to name. */
  readonly html: string;
  /** Of a deep scan: the page's globals by path (`jQuery.fn.jquery`); '' for objects. */
  readonly globals?: Readonly<Record<string, string>>;
  /** Of a deep scan: URLs the rendered page requested, in order. */
  readonly requests?: readonly string[];
}

/**
 * Request of the `tech-scan` queue: names the stored {@link ScanInput} of one page. Who published it
 * stores and deletes the input; the scanner only reads it.
 */
export interface ScanTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** Blob key of the input as gzipped JSON. */
  readonly inputKey: string;
  /** Epoch milliseconds by which the answer is due; a scan that found no free worker by then is `queue_timeout`. */
  readonly deadlineAtMs: number;
}

/** Answer to a {@link ScanTask}. */
export interface ScanReply {
  /** By confidence (highest first), category, name. */
  readonly technologies: readonly Technology[];
  /** In the order of {@link TECH_REASONS}, each once. */
  readonly reasons: readonly TechReason[];
  /** Bytes of HTML read (UTF-8). */
  readonly scannedBytes: number;
  readonly durationMs: number;
}

/** The scans of all pages of a request together. */
export interface TechReport {
  readonly technologies: readonly Technology[];
  readonly reasons: readonly TechReason[];
  readonly scannedBytes: number;
  readonly durationMs: number;
  /** Of a deep scan. */
  readonly sources?: readonly TechSource[];
}
