import { parseRetryAfter, type HttpHeaders } from '@app/egress';
import type { ChatRefusal } from './chat-answer.js';
import { failedCall, type LlmCallFailure } from './llm-result.js';

/** One call without an answer. */
export interface AttemptFailure {
  readonly kind: 'failure';
  readonly failure: LlmCallFailure;
  /** The same call may succeed later. */
  readonly isTransient: boolean;
  /** The delay that the server requests; null: none. */
  readonly retryAfterMs: number | null;
}

export function permanent(failure: LlmCallFailure): AttemptFailure {
  return { kind: 'failure', failure, isTransient: false, retryAfterMs: null };
}

export function transient(message: string, retryAfterMs: number | null = null): AttemptFailure {
  return {
    kind: 'failure',
    failure: failedCall('llm_failed', message),
    isTransient: true,
    retryAfterMs,
  };
}

/** Servers' phrases for a prompt that is too long: OpenAI and vLLM, llama.cpp, gateways. */
const TOO_LONG =
  /context_length_exceeded|maximum context length|exceed_context_size|context (?:length|window|size)|prompt is too long|too many tokens/i;
const NO_QUOTA = /insufficient_quota|insufficient_balance|billing/i;

export function isTooLong({ words }: ChatRefusal): boolean {
  return TOO_LONG.test(words);
}

/** The failure for an error status. The server's text is dropped: it may quote the key. */
export function refusalOf(
  status: number,
  refusal: ChatRefusal,
  retryAfterMs: number | null,
): AttemptFailure {
  if (status === 401 || status === 403) {
    return permanent(failedCall('llm_failed', `the model server refuses our key (${status})`));
  }
  if (status === 402 || (status === 429 && NO_QUOTA.test(refusal.words))) {
    return permanent(
      failedCall('llm_failed', `our account at the model server is used up (${status})`),
    );
  }
  if (status === 404) {
    return permanent(
      failedCall('llm_failed', 'the model server does not know the model or address (404)'),
    );
  }
  if (status === 429) return transient('the model server is busy (429)', retryAfterMs);
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    return transient(`the model server failed (${status})`, retryAfterMs);
  }
  return permanent(failedCall('llm_failed', `the model server refused the request (${status})`));
}

/** The requested delay: `retry-after-ms`, or Retry-After. */
export function readRetryAfter(headers: HttpHeaders, nowMs: number): number | null {
  const ms = String(headers['retry-after-ms'] ?? '');
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(ms)) return Number(ms);
  return parseRetryAfter(headers['retry-after'], nowMs);
}
