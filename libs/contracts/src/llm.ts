/** Rows of the routing table (specification: POST /v1/extract, Model routing). */
export type ModelClass = 'free' | 'low' | 'high' | 'top';

/** A JSON Schema (2020-12), or a shape like one, as the caller sent it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a model should produce from a page. */
export interface LlmRequest {
  readonly modelClass: ModelClass;
  /** Null: no JSON is requested. `schema` null: the model chooses the fields. */
  readonly json: { readonly schema: JsonSchema | null } | null;
  readonly summary: boolean;
}

/** Use by all model calls of one request together. */
export interface LlmUsage {
  /** Name of the model as configured. */
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
  readonly latencyMs: number;
}

/** No model was called. */
export const NO_USAGE: LlmUsage = {
  model: '',
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  latencyMs: 0,
};

/**
 * Why there is no output: the model did not answer, the budget or time ran out, the tenant's calls of the day are used
 * up, its output failed the schema twice, or the schema cannot be compiled and no model was called.
 */
export type LlmProblem =
  'llm_failed' | 'llm_budget' | 'llm_timeout' | 'llm_quota' | 'llm_invalid' | 'llm_schema';

/** Why a model read only a part of a page: calls for the rest failed, or it is longer than a model is shown. */
export type LlmCut = LlmProblem | 'llm_max_chars';

/** Where the page shows a value: the surrounding text, verbatim. */
export interface Quote {
  readonly quote: string;
}

/** Output of a model for one page. */
export interface LlmOutput {
  /**
   * Valid by the schema; null where the page has no value. Absent when not requested or on a
   * problem.
   */
  readonly json?: unknown;
  /** By JSON pointer (RFC 6901) of the value; only values that appear verbatim in the page. */
  readonly quotes?: Readonly<Record<string, Quote>>;
  readonly summary?: string;
  readonly problem?: LlmProblem;
  /**
   * The model read only a part of the page, and the output covers that part. Never together with
   * `problem`.
   */
  readonly cut?: LlmCut;
  /** For people: the failure, or without `problem` what was left out of a good answer. */
  readonly message?: string;
  readonly usage: LlmUsage;
}
