import { MODEL_PRICES, type Deadline, type ModelClass } from '@app/contracts';
import type { HttpRequest, HttpResponse } from '@app/egress';
import {
  isTooLong,
  lasting,
  passing,
  readRetryAfter,
  refusalOf,
  type AttemptFailure,
} from './attempt-failure.js';
import { CallTime } from './call-time.js';
import { readChatAnswer, readRefusal, type ChatAnswer } from './chat-answer.js';
import { adapt, FULL_DIALECT, requestBody, type AnswerSchema, type Dialect } from './dialect.js';
import type { LlmBudget, Reservation, TokenPrice } from './llm-budget.js';
import type { LlmMessage } from './llm-message.js';
import { failed, type LlmResult } from './llm-result.js';
import { post, type LlmHttp } from './post.js';
import { estimateInputTokens, estimateTokens, maxInputTokens } from './token-bound.js';

/** Row of the routing table, or the model that reads pictures. */
export type ModelUse = ModelClass | 'vision';

export interface LlmClientOptions {
  /**
   * Base address as OpenAI's clients take it: `https://host/v1`, to which `/chat/completions` is
   * added; without a path `/v1` is meant. A query is kept.
   */
  readonly endpoint: string | URL;
  /** Made with `EgressGuard.forEndpoint(endpoint)`. */
  readonly http: LlmHttp;
  /** Null: the server wants none. */
  readonly key: string | null;
  /** Names as the server knows them; null: there is no model of the class. */
  readonly models: Readonly<Record<ModelClass, string | null>>;
  readonly visionModel: string | null;
  /** Longest silence within an answer before the call is given up and tried again. @default 30_000 */
  readonly idleTimeoutMs?: number;
  /** Calls for one answer, the first included. @default 4 */
  readonly maxAttempts?: number;
  /** First pause before a call is repeated; doubles each time. @default 500 */
  readonly backoffMs?: number;
  /** For the jitter of pauses: 0 to 1. @default Math.random */
  readonly random?: () => number;
}

export interface LlmCall {
  readonly use: ModelUse;
  readonly messages: readonly LlmMessage[];
  /** Null: the answer is text. */
  readonly answer: AnswerSchema | null;
  readonly maxTokens: number;
  /** The budget may bound the answer to as few tokens; fewer are of no use. @default `maxTokens` */
  readonly leastTokens?: number;
  readonly deadline: Deadline;
  readonly budget: LlmBudget;
  readonly signal?: AbortSignal;
}

/** The routing table has no row for pictures; models of its middle class read text off them well. */
const PRICES: Readonly<Record<ModelUse, TokenPrice>> = {
  ...MODEL_PRICES,
  vision: MODEL_PRICES.high,
};

const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Changes of dialect for one call; each is a refusal that costs nothing. */
const MAX_ADAPTATIONS = 6;
/** A streamed token is a JSON object of some hundred bytes. */
const BYTES_PER_STREAMED_TOKEN = 1_024;
const BASE_ANSWER_BYTES = 262_144;
const MAX_ANSWER_BYTES = 33_554_432;

type Attempt =
  | { readonly kind: 'answer'; readonly answer: ChatAnswer }
  | { readonly kind: 'adapted' }
  | AttemptFailure;

/** One call on its way; the dialect changes as the server refuses parts of it. */
interface Talk {
  readonly call: LlmCall;
  readonly model: string;
  readonly time: CallTime;
  readonly schemaText: string;
  dialect: Dialect;
}

/**
 * A client of one model server that speaks OpenAI's chat completions (vLLM, llama.cpp, Ollama and
 * the like do). Where a server refuses a part of the protocol it is left out, for good when that is
 * the model's way. Failures are values. Nothing in a request chooses the address or a model's name,
 * and the key is in no error and in no property that can be printed.
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

  /** What its tokens cost. */
  priceOf(use: ModelUse): TokenPrice {
    return PRICES[use];
  }

  /** Asks until there is an answer, or no time, money or hope is left. Never rejects. */
  async complete(call: LlmCall): Promise<LlmResult> {
    const model = this.modelFor(call.use);
    if (model === null) return failed('llm_failed', `no model is configured for '${call.use}'`);
    const time = new CallTime(call.deadline, call.signal);
    const schemaText = call.answer === null ? '' : JSON.stringify(call.answer.schema);
    const dialect = this.dialects.get(model) ?? FULL_DIALECT;
    try {
      return await this.ask({ call, model, time, schemaText, dialect });
    } finally {
      time.dispose();
    }
  }

  private async ask(talk: Talk): Promise<LlmResult> {
    const { call, time } = talk;
    const { maxAttempts = DEFAULT_ATTEMPTS } = this.options;
    let adaptations = 0;
    let attempts = 0;
    for (;;) {
      if (time.isOver) return time.failure();
      const attempt = await this.attempt(talk);
      if (attempt.kind === 'answer') return toResult(attempt.answer);
      if (time.isOver) return time.failure();
      if (attempt.kind === 'adapted') {
        if (++adaptations <= MAX_ADAPTATIONS) continue;
        return failed('llm_failed', 'the model server refuses whatever is left out');
      }
      if (!attempt.isPassing || ++attempts >= maxAttempts) return attempt.failure;
      const pauseMs = attempt.retryAfterMs ?? this.backoffMs(attempts);
      if (pauseMs >= call.deadline.remainingMs()) return attempt.failure;
      await time.pause(pauseMs);
    }
  }

  private backoffMs(attempts: number): number {
    const { backoffMs = DEFAULT_BACKOFF_MS, random = Math.random } = this.options;
    return Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** (attempts - 1)) * (0.5 + random() / 2);
  }

  private async attempt(talk: Talk): Promise<Attempt> {
    const { call, time, schemaText } = talk;
    const worst = {
      inputTokens: maxInputTokens(call.messages, schemaText),
      outputTokens: call.maxTokens,
    };
    const reserved = await call.budget.reserve(worst, {
      price: PRICES[call.use],
      ...(call.leastTokens === undefined ? {} : { leastOutputTokens: call.leastTokens }),
      signal: time.signal,
    });
    if (reserved === null) {
      return lasting(failed('llm_budget', 'the budget for models does not cover another call'));
    }
    try {
      return await this.send(talk, reserved);
    } finally {
      reserved.release();
    }
  }

  private async send(talk: Talk, reserved: Reservation): Promise<Attempt> {
    const { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = this.options;
    const { outputTokens: maxTokens } = reserved.worst;
    const sent = await post(this.options.http, this.httpRequest(talk, maxTokens), idleTimeoutMs);
    if ('kind' in sent) return sent;
    if (sent.response.status !== 200) return this.refused(talk, sent.response);
    return this.answered(talk, sent.response, reserved);
  }

  private answered(talk: Talk, response: HttpResponse, reserved: Reservation): Attempt {
    const answer = readChatAnswer(textOf(response));
    const counted = answer?.usage ?? null;
    // The model began to work: whatever came of it is paid for.
    reserved.settle(counted ?? estimate(talk, answer), counted === null);
    if (answer === null) return passing('the model server answered with something else');
    if (answer.ending !== 'broken') return { kind: 'answer', answer };
    return response.truncation === 'byte_cap'
      ? lasting(failed('llm_failed', 'the answer of the model is too large'))
      : passing('the answer of the model broke off');
  }

  private httpRequest(
    talk: Talk,
    maxTokens: number,
  ): HttpRequest & { readonly signal: AbortSignal } {
    const { call, model, dialect, time } = talk;
    const { messages, answer, deadline } = call;
    const maxBytes = BASE_ANSWER_BYTES + maxTokens * BYTES_PER_STREAMED_TOKEN;
    return {
      url: this.#url,
      method: 'POST',
      headers: {
        ...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }),
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // Compression would hold back what is streamed.
        'accept-encoding': 'identity',
      },
      body: requestBody({ model, messages, answer, maxTokens }, dialect),
      deadline,
      signal: time.signal,
      maxBytes: Math.min(MAX_ANSWER_BYTES, maxBytes),
      maxRedirects: 0,
    };
  }

  private refused(talk: Talk, response: HttpResponse): Attempt {
    const { status, headers } = response;
    const refusal = readRefusal(textOf(response));
    if (status === 400 || status === 413 || status === 422) {
      if (isTooLong(refusal)) {
        return lasting(failed('llm_failed', 'the prompt is too long for the model', 'too_long'));
      }
      if (this.adapt(talk, refusal.words)) return { kind: 'adapted' };
    }
    return refusalOf(status, refusal, readRetryAfter(headers, Date.now()));
  }

  /** Leaves out what was refused; remembers it when it is not about this schema alone. */
  private adapt(talk: Talk, words: string): boolean {
    const adapted = adapt(talk.dialect, words);
    if (adapted === null) return false;
    talk.dialect = adapted.dialect;
    const known = this.dialects.get(talk.model) ?? FULL_DIALECT;
    if (adapted.isLasting) this.dialects.set(talk.model, adapt(known, words)?.dialect ?? known);
    return true;
  }
}

function toResult({ ending, text }: ChatAnswer): LlmResult {
  return ending === 'refused'
    ? failed('llm_failed', 'the model refused to answer')
    : { ok: true, text, isCut: ending === 'cut' };
}

function estimate({ call, schemaText }: Talk, answer: ChatAnswer | null) {
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
