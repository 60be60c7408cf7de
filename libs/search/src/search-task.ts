import type { ErrorClass, LlmUsage, ModelClass, Plan } from '@app/contracts';

/** Backends of web search in the order in which they are tried (specification: POST /v1/search, `source`). */
export const SEARCH_SOURCES = ['serp_provider', 'html_provider_1', 'html_provider_2'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** Age of results: at most a day, week, month or year. */
export const SEARCH_PERIODS = ['d', 'w', 'm', 'y'] as const;
export type SearchPeriod = (typeof SEARCH_PERIODS)[number];

/** What a search engine says about one page. */
export interface FoundPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

interface SearchTaskHead {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly deadlineAtMs: number;
}

/** Request of the `search` queue: pages of the web for a query. */
export interface WebSearchTask extends SearchTaskHead {
  readonly kind: 'web';
  /** With the operators that the request's fields become. */
  readonly query: string;
  /** Most results of the answer. */
  readonly limit: number;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country: string;
  readonly period: SearchPeriod | null;
  /** Hosts of which results may be, their subdomains included; empty: any. */
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
}

/** A result as a model is shown it. */
export interface CitableSource {
  readonly position: number;
  readonly url: string;
  readonly title: string;
  /** Snippet, and the start of the page where it was scraped. */
  readonly text: string;
}

/** Request of the `search` queue: an answer that cites results. */
export interface CitedAnswerTask extends SearchTaskHead {
  readonly kind: 'answer';
  readonly question: string;
  readonly sources: readonly CitableSource[];
  readonly modelClass: ModelClass;
}

export type SearchTask = WebSearchTask | CitedAnswerTask;

/** One backend that was tried, or left out because it failed too often of late. */
export interface SearchAttempt<S extends string = SearchSource> {
  readonly source: S;
  readonly ok: boolean;
  readonly latencyMs: number;
  readonly errorClass: ErrorClass | null;
  /** For operators; null without an error. */
  readonly problem: string | null;
}

/** Answer to a {@link SearchTask}. */
export type SearchReply =
  | {
      readonly kind: 'found';
      readonly source: SearchSource;
      readonly results: readonly FoundPage[];
      readonly attempts: readonly SearchAttempt[];
    }
  /** No backend completed; without attempts none is configured. */
  | {
      readonly kind: 'failed';
      readonly attempts: readonly SearchAttempt[];
      /** Until the first backend is tried again; null: at once. */
      readonly retryAfterMs: number | null;
      /** Every backend refuses this query: a retry is of no use. @default false */
      readonly isOfQuery?: boolean;
    }
  /** `answer` null: there is no model, it failed, or none of its sentences is supported by what it cites. */
  | {
      readonly kind: 'answered';
      readonly answer: string | null;
      readonly usage: LlmUsage;
    };
