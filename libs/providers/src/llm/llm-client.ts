import type { Deadline, ModelClass } from '@app/contracts';
import type { HttpRequest, HttpResponse } from '@app/egress';
import {
  isTooLong,
  permanent,
  transient,
  readRetryAfter,
  refusalOf,
  type AttemptFailure,
} from './attempt-failure.js';
import { CallTime } from './call-time.js';
import { readChatAnswer, readRefusal, type ChatAnswer } from './chat-answer.js';
import { adapt, FULL_DIALECT, requestBody, type AnswerSchema, type Dialect } from './dialect.js';
import type { LlmBudget, Reservation, TokenPrice } from './llm-budget.js';
import type { LlmMessage } from './llm-message.js';
import { failedCall, type LlmResult } from './llm-result.js';
import { post, type LlmHttp } from './post.js';
import { estimateInputTokens, estimateTokens, maxInputTokens } from './token-bound.js';

/** Micro-dollars per million tokens (specification: POST /v1/extract, Model routing). */
export const MODEL_PRICES: Readonly<
  Record<ModelClass, { readonly input: number; readonly output: number }>
> = {
  free: { input: 0, output: 0 },
  low: { input: 140_000, output: 280_000 },
  high: { input: 800_000, output: 4_000_000 },
  top: { input: 3_000_000, output: 15_000_000 },
};

/** Row of the routing table, or the vision model. */
export type ModelUse = ModelClass | 'vision';

export interface LlmClientOptions {
  /**
   * Base URL as OpenAI's clients take it: `https://host/v1`, to which `/chat/completions` is added; without a
   * path `/v1` is used. A query is kept.
   */
  readonly endpoint: string | URL;
  /** From `EgressGuard.forEndpoint(endpoint)`. */
  readonly http: LlmHttp;
  /** Null: the server needs none. */
  readonly key: string | null;
  /** Model names of the server; null: there is no model of the class. */
  readonly models: Readonly<Record<ModelClass, string | null>>;
  readonly visionModel: string | null;
  /** Maximum silence within an answer before the call is aborted and retried. @default 30_000 */
  readonly idleTimeoutMs?: number;
  /** Maximum calls for one answer, including the first. @default 4 */
  readonly maxAttempts?: number;
  /** Delay before the first retry; doubles each time. @default 500 */
  readonly backoffMs?: number;
  /** For the jitter of delays: 0 to 1. @default Math.random */
  readonly random?: () => number;
}

export interface LlmCall {
  readonly use: ModelUse;
  readonly messages: readonly LlmMessage[];
  /** Null: plain text. */
  readonly answer: AnswerSchema | null;
  readonly maxTokens: number;
  /** The budget may limit the answer to this length; a shorter one is useless. @default `maxTokens` */
  readonly minTokens?: number;
  readonly deadline: Deadline;
  readonly budget: LlmBudget;
  readonly signal?: AbortSignal;
}

/** The routing table has no row for images; models of its middle class read text in them well. */
const PRICES: Readonly<Record<ModelUse, TokenPrice>> = {
  ...MODEL_PRICES,
  vision: MODEL_PRICES.high,
};

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Changes of dialect for one call; each follows an error that is not charged. */
const MAX_ADAPTATIONS = 6;
/** A streamed token is a JSON object of a few hundred bytes. */
const BYTES_PER_STREAMED_TOKEN = 1_024;
const BASE_ANSWER_BYTES = 262_144;
const MAX_ANSWER_BYTES = 33_554_432;

type Attempt =
  | { readonly kind: 'answer'; readonly answer: ChatAnswer }
  | { readonly kind: 'adapted' }
  | AttemptFailure;

/** One running call; the dialect changes when the server refuses parts of it. */
interface RunningCall {
  readonly call: LlmCall;
  readonly model: string;
  readonly time: CallTime;
  readonly schemaText: string;
  dialect: Dialect;
}

/**
 * A client of one model server with OpenAI's chat completions API (vLLM, llama.cpp, Ollama and others have it).
 * A feature that the server refuses is dropped, permanently if the model never supports it. Failures are values.
 * Nothing in a request chooses the address or a model's name, and neither errors nor printable properties
 * contain the key.
 */
export class LlmClient {
  readonly #key: string | null;
  readonly #url: string;
  private readonly options: Omit<LlmClientOptions, 'key' | 'endpoint'>;
  private readonly dialects = new Map<string, Dialect>();

  constructor({ key, endpoint, ...options }: LlmClientOptions) {
    this.#key = key;
    this.#url = completionsUrl(endpoint);
    this.options = options;
  }

  /** The configured name; null: no model does this. */
  modelFor(use: ModelUse): string | null {
    return use === 'vision' ? this.options.visionModel : this.options.models[use];
  }

  /** Price of its tokens. */
  priceOf(use: ModelUse): TokenPrice {
    return PRICES[use];
  }

  /** Retries until there is an answer, or the time, the budget or the retries are used up. Never rejects. */
  async complete(call: LlmCall): Promise<LlmResult> {
    const model = this.modelFor(call.use);
    if (model === null) return failedCall('llm_failed', `no model is configured for '${call.use}'`);
    const time = new CallTime(call.deadline, call.signal);
    const schemaText = call.answer === null ? '' : JSON.stringify(call.answer.schema);
    const dialect = this.dialects.get(model) ?? FULL_DIALECT;
    try {
      return await this.callWithRetries({ call, model, time, schemaText, dialect });
    } finally {
      time.dispose();
    }
  }

  private async callWithRetries(running: RunningCall): Promise<LlmResult> {
    const { call, time } = running;
    const { maxAttempts = DEFAULT_ATTEMPTS } = this.options;
    let adaptations = 0;
    let attempts = 0;
    for (;;) {
      if (time.isOver) return time.failure();
      const attempt = await this.attempt(running);
      if (attempt.kind === 'answer') return toResult(attempt.answer);
      if (time.isOver) return time.failure();
      if (attempt.kind === 'adapted') {
        if (++adaptations <= MAX_ADAPTATIONS) continue;
        return failedCall(
          'llm_failed',
          'the model server refuses every supported form of the request',
        );
      }
      if (!attempt.isTransient || ++attempts >= maxAttempts) return attempt.failure;
      const pauseMs = attempt.retryAfterMs ?? this.backoffMs(attempts);
      if (pauseMs >= call.deadline.remainingMs()) return attempt.failure;
      await time.pause(pauseMs);
    }
  }

  private backoffMs(attempts: number): number {
    const { backoffMs = DEFAULT_BACKOFF_MS, random = Math.random } = this.options;
    return Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** (attempts - 1)) * (0.5 + random() / 2);
  }

  private async attempt(running: RunningCall): Promise<Attempt> {
    const { call, time, schemaText } = running;
    const worst = {
      inputTokens: maxInputTokens(call.messages, schemaText),
      outputTokens: call.maxTokens,
    };
    const reserved = await call.budget.reserve(worst, {
      price: PRICES[call.use],
      ...(call.minTokens === undefined ? {} : { minOutputTokens: call.minTokens }),
      signal: time.signal,
    });
    if (reserved === null) {
      return permanent(
        failedCall('llm_budget', 'the budget for models does not cover another call'),
      );
    }
    try {
      return await this.send(running, reserved);
    } finally {
      reserved.release();
    }
  }

  private async send(running: RunningCall, reserved: Reservation): Promise<Attempt> {
    const { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = this.options;
    const { outputTokens: maxTokens } = reserved.worst;
    const sent = await post(this.options.http, this.httpRequest(running, maxTokens), idleTimeoutMs);
    if ('kind' in sent) return sent;
    if (sent.response.status !== 200) return this.refused(running, sent.response);
    return this.answered(running, sent.response, reserved);
  }

  private answered(running: RunningCall, response: HttpResponse, reserved: Reservation): Attempt {
    const answer = readChatAnswer(textOf(response));
    const counted = answer?.usage ?? null;
    // The model began to work: the call is charged with any result.
    reserved.settle(counted ?? estimate(running, answer), counted === null);
    if (answer === null) return transient('the model server returned an unexpected response');
    if (answer.ending !== 'broken') return { kind: 'answer', answer };
    return response.truncation === 'byte_cap'
      ? permanent(failedCall('llm_failed', 'the answer of the model is too large'))
      : transient('the answer of the model was interrupted');
  }

  private httpRequest(
    running: RunningCall,
    maxTokens: number,
  ): HttpRequest & { readonly signal: AbortSignal } {
    const { call, model, dialect, time } = running;
    const { messages, answer, deadline } = call;
    const maxBytes = BASE_ANSWER_BYTES + maxTokens * BYTES_PER_STREAMED_TOKEN;
    return {
      url: this.#url,
      method: 'POST',
      headers: {
        ...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }),
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // Compression would delay streamed data.
        'accept-encoding': 'identity',
      },
      body: requestBody({ model, messages, answer, maxTokens }, dialect),
      deadline,
      signal: time.signal,
      maxBytes: Math.min(MAX_ANSWER_BYTES, maxBytes),
      maxRedirects: 0,
    };
  }

  private refused(running: RunningCall, response: HttpResponse): Attempt {
    const { status, headers } = response;
    const refusal = readRefusal(textOf(response));
    if (status === 400 || status === 413 || status === 422) {
      if (isTooLong(refusal)) {
        return permanent(
          failedCall('llm_failed', 'the prompt is too long for the model', 'too_long'),
        );
      }
      if (this.adapt(running, refusal.words)) return { kind: 'adapted' };
    }
    return refusalOf(status, refusal, readRetryAfter(headers, Date.now()));
  }

  /** Drops the refused feature; remembers that unless only this schema was refused. */
  private adapt(running: RunningCall, words: string): boolean {
    const adapted = adapt(running.dialect, words);
    if (adapted === null) return false;
    running.dialect = adapted.dialect;
    const known = this.dialects.get(running.model) ?? FULL_DIALECT;
    if (adapted.isPermanent)
      this.dialects.set(running.model, adapt(known, words)?.dialect ?? known);
    return true;
  }
}

function toResult({ ending, text }: ChatAnswer): LlmResult {
  return ending === 'refused'
    ? failedCall('llm_failed', 'the model refused to answer')
    : { ok: true, text, isCut: ending === 'cut' };
}

function estimate({ call, schemaText }: RunningCall, answer: ChatAnswer | null) {
  return {
    inputTokens: estimateInputTokens(call.messages, schemaText),
    outputTokens: estimateTokens(`${answer?.thoughts ?? ''}${answer?.text ?? ''}`),
  };
}

function textOf({ body }: HttpResponse): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function completionsUrl(endpoint: string | URL): string {
  const url = new URL(endpoint);
  const base = url.pathname.replace(/(?<!\/)\/+$/, '');
  url.pathname = `${base === '' ? '/v1' : base}/chat/completions`;
  return url.href;
}
