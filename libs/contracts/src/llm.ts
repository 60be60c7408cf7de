/** Rows of the routing table (specification: POST /v1/extract, Model routing). */
export const MODEL_CLASSES = ['free', 'low', 'high', 'top'] as const;
export type ModelClass = (typeof MODEL_CLASSES)[number];

/** Micro-dollars per million tokens (same place). */
export const MODEL_PRICES: Readonly<
  Record<ModelClass, { readonly input: number; readonly output: number }>
> = {
  free: { input: 0, output: 0 },
  low: { input: 140_000, output: 280_000 },
  high: { input: 800_000, output: 4_000_000 },
  top: { input: 3_000_000, output: 15_000_000 },
};

/** A JSON Schema (2020-12), or a shape like one, as the caller sent it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a model is to make of a page. */
export interface LlmRequest {
  readonly modelClass: ModelClass;
  /** Null: no JSON is asked for. `schema` null: whatever the page is about. */
  readonly json: { readonly schema: JsonSchema | null } | null;
  readonly summary: boolean;
}

/** What model calls of one request used, all together. */
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
 * Why there is no output of the model: it did not answer, its budget or the time ran out, it answered
 * twice with what the schema refuses, or the schema cannot be compiled, and no model was called.
 */
export type LlmProblem = 'llm_failed' | 'llm_budget' | 'llm_timeout' | 'llm_invalid' | 'llm_schema';

/** Why a model read only a part of a page: calls for the rest failed, or it is longer than a model is shown. */
export type LlmCut = LlmProblem | 'llm_max_chars';

/** Where in the page a value stands: the words around it, as the page has them. */
export interface Quote {
  readonly quote: string;
}

/** What a model made of a page. */
export interface LlmOutput {
  /** Valid by the schema; what the page does not say is null. Absent when not asked for or on a problem. */
  readonly json?: unknown;
  /** By JSON pointer (RFC 6901) of the value; only values that stand in the page word for word. */
  readonly quotes?: Readonly<Record<string, Quote>>;
  readonly summary?: string;
  readonly problem?: LlmProblem;
  /** Only a part of the page was read; what is there is of that part. Never together with `problem`. */
  readonly cut?: LlmCut;
  /** For people: what went wrong; without `problem`, what was left out of a good answer. */
  readonly message?: string;
  readonly usage: LlmUsage;
}
