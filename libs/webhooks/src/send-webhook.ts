import { Deadline } from '@app/contracts';
import {
  BlockedUrlError,
  HttpFetchError,
  InvalidUrlError,
  parseRetryAfter,
  type HttpClient,
  type HttpResponse,
} from '@app/egress';
import type { AttemptError } from './delivery.js';

/** The stored part of an answer. */
export const MAX_ANSWER_BYTES = 1_024;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For everything, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  /** Breaks the attempt off. */
  readonly signal: AbortSignal;
}

/** How one attempt ended. `error` is null when the receiver acknowledged by a 2xx. */
export interface SendResult {
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly answer: string | null;
  /** When the receiver says to come again. */
  readonly retryAfterMs: number | null;
}

/** Posts one event. Whatever goes wrong at the receiver is a value; redirects are not followed. */
export async function sendWebhook(
  http: Pick<HttpClient, 'fetch'>,
  { url, headers, body, timeoutMs, signal }: WebhookRequest,
): Promise<SendResult> {
  try {
    const response = await http.fetch({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      deadline: Deadline.after(timeoutMs),
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
    });
    return resultOf(response);
  } catch (error) {
    return failureOf(error, signal);
  }
}

function resultOf({ status, headers, body }: HttpResponse): SendResult {
  const retryAfterMs = retryAfterHeaderMs(status, headers['retry-after'], Date.now());
  return { status, error: errorOf(status), answer: textOf(body), retryAfterMs };
}

function errorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'http_status';
}

function failureOf(error: unknown, signal: AbortSignal): SendResult {
  if (error instanceof BlockedUrlError || error instanceof InvalidUrlError)
    return failed('blocked_address');
  if (!(error instanceof HttpFetchError)) throw error;
  // The status is the acknowledgement; a slow body after it is not needed.
  if (error.partial !== null) return resultOf(error.partial);
  if (signal.aborted) return failed('interrupted');
  if (error.errorClass === 'timeout') return failed('timeout');
  return failed(error.errorClass === 'parse_error' ? 'invalid_answer' : 'network');
}

function failed(error: AttemptError): SendResult {
  return { status: null, error, answer: null, retryAfterMs: null };
}

/** As the database can keep it: no NUL, nothing that is not text. */
function textOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd');
  return text === '' ? null : text;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first attempt, which is made at once (Standard Webhooks: Retry schedule): 75 h 35 min. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
export const MAX_ATTEMPTS = RETRY_WAITS_MS.length + 1;

/**
 * Random share by which a wait is longer or shorter, so that deliveries that failed together do not
 * return together.
 */
const JITTER = 0.1;
/** A receiver may request more time than the schedule has, up to its longest wait. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Milliseconds until the attempt after `attempts`; null when that was the last.
 * @param random from 0 to 1
 * @param retryAfterMs requested by the receiver; makes a wait longer, never shorter
 */
export function retryWaitMs(
  attempts: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const wait = RETRY_WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 + JITTER * (2 * random - 1));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Retry-After of a 429 or 503, in milliseconds; null for any other answer. */
export function retryAfterHeaderMs(
  status: number,
  header: string | string[] | undefined,
  nowMs: number,
): number | null {
  return status === 429 || status === 503 ? parseRetryAfter(header, nowMs) : null;
}
