import { createHmac, timingSafeEqual } from 'node:crypto';

export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** The last part of the address of a feed file: the feed, its signature and the format. It is good as long as the feed exists. */
export function feedToken(id: string, format: FeedFormat, secret: Uint8Array): string {
  return `${id}.${signatureOf(id, secret).toString('base64url')}.${format}`;
}

const TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})\.(rss|atom|json)$/;

/** The feed and format of a token; null: it was not signed here. */
export function readFeedToken(
  token: string,
  secret: Uint8Array,
): { readonly id: string; readonly format: FeedFormat } | null {
  const [, id = '', signature = '', format = ''] = TOKEN.exec(token) ?? [];
  const known = FEED_FORMATS.find((one) => one === format);
  if (known === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  const own = signatureOf(id, secret);
  return given.length === own.length && timingSafeEqual(given, own) ? { id, format: known } : null;
}

/** One signature for all formats: who reads one may read the others. */
function signatureOf(id: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`feed ${id}`).digest();
}
