import type { WebhookEvent } from './schemas.js';
import { TrawlError } from './trawl-error.js';

/** Headers of a request in any of the usual forms. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Greatest age of a webhook, and how far its clock may be ahead, in seconds. @default 300 */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. @default the time now */
  readonly now?: number;
}

type VerificationKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
/** While a secret is being replaced a webhook carries two. */
const MAX_SIGNATURES = 10;

/**
 * Verifies that Trawl sent a webhook (Standard Webhooks, HMAC-SHA-256, compared in constant time) and returns its
 * content. A webhook may come more than once: the header `webhook-id` is then the same.
 * Webhooks of a feed: `verifyWebhook<FeedEvent>(…)`.
 * @param payload the body as it came, before any JSON parser
 * @param secret from POST /v1/webhooks/secret; begins with whsec_
 * @throws TrawlError `webhook_signature` or `webhook_timestamp`
 */
export async function verifyWebhook<Event = WebhookEvent>(
  payload: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ', MAX_SIGNATURES);
  const key = await importSecret(secret);
  const body = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  if (!(await isAnyOf(signatures, key, signed)))
    throw new TrawlError('The webhook is not signed with this secret', {
      code: 'webhook_signature',
      hint: 'Answer 401. If Trawl sent it: pass the unparsed body, and the current secret.',
    });
  const ageSeconds = Math.abs(now / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : 0));
  if (ageSeconds > toleranceSeconds)
    throw new TrawlError(`The webhook is ${Math.round(ageSeconds)} s off this clock`, {
      code: 'webhook_timestamp',
      hint: 'Answer 401: it is a replay, or this clock is wrong.',
    });
  return JSON.parse(body) as Event;
}

async function isAnyOf(
  signatures: readonly string[],
  key: VerificationKey,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const signature of signatures) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : null;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

function importSecret(secret: string): Promise<VerificationKey> {
  const bytes = secret.startsWith(SECRET_PREFIX)
    ? fromBase64(secret.slice(SECRET_PREFIX.length))
    : null;
  if (!bytes || bytes.length === 0)
    throw new TypeError('secret must be whsec_ and Base64, as POST /v1/webhooks/secret returns it');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null; // Not Base64.
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
