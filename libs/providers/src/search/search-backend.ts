import type { Deadline, ErrorClass } from '@app/contracts';
import type {
  FoundPage,
  SearchPeriod,
  SearchSource,
  PageReading,
  SearchResultPage,
  ResultTerms,
} from '@app/search';
import type { HttpClient } from '@app/egress';

/** A client whose guard admits only the operator's backend. */
export type SearchHttp = Pick<HttpClient, 'fetch'>;

/** A search as backends get it. */
export interface BackendQuery extends ResultTerms {
  readonly text: string;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country: string;
  /** Language tag of the country, such as `en-US`; null where none is known. */
  readonly locale: string | null;
  readonly period: SearchPeriod | null;
  /** Tenants take turns in the threads that read results. */
  readonly tenantId: string;
}

/** Bounds of one call of a backend. */
export interface BackendTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/** Why a backend returned no results. */
export interface BackendFailure {
  readonly ok: false;
  readonly errorClass: ErrorClass;
  /** For operators; without anything that the backend said, which may quote the key. */
  readonly problem: string;
  readonly statusCode: number | null;
  /** The delay that the backend requests; null: none. */
  readonly retryAfterMs: number | null;
  /** The backend works, and has nothing for this query: another query is worth a call. */
  readonly isOfQuery: boolean;
  /** The structure of its results has changed. */
  readonly isDrift: boolean;
}

/** What a backend found. */
export interface BackendResults<R = FoundPage> {
  readonly results: readonly R[];
  /** Number of the page after these, where results are read part by part; null: these are the last. */
  readonly next?: number | null;
}

export type BackendResult<R = FoundPage> =
  ({ readonly ok: true } & BackendResults<R>) | BackendFailure;

/** A search engine. Failures are values; rejects only when its signal is aborted. */
export interface SearchBackend<S extends string = SearchSource, Q = BackendQuery, R = FoundPage> {
  readonly source: S;
  search(query: Q, terms: BackendTerms): Promise<BackendResult<R>>;
}

/** Reads a page of results off the event loop. Null: not within the time and memory of a page. */
export type ReadResultPage<Page = SearchResultPage, R = FoundPage> = (
  page: Page,
  terms: BackendTerms & { readonly tenantId: string },
) => Promise<PageReading<R> | null>;

export function backendFailure(
  errorClass: ErrorClass,
  problem: string,
  more: Partial<Omit<BackendFailure, 'ok' | 'errorClass' | 'problem'>> = {},
): BackendFailure {
  return {
    ok: false,
    errorClass,
    problem,
    statusCode: null,
    retryAfterMs: null,
    isOfQuery: false,
    isDrift: false,
    ...more,
  };
}
