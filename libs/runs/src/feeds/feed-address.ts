import { createHmac, timingSafeEqual } from 'node:crypto';

export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** What an address is signed for: a feed, and which of its addresses. */
export interface FeedAddress {
  readonly id: string;
  readonly addressVersion: number;
}

/** The last part of the address of a feed file: the feed, the version of its addresses, their signature and the format. */
export function feedToken(feed: FeedAddress, format: FeedFormat, secret: Uint8Array): string {
  const signature = signatureOf(feed, secret).toString('base64url');
  return `${feed.id}.${feed.addressVersion}.${signature}.${format}`;
}

const TOKEN = /^([0-9a-f-]{36})\.([1-9]\d{0,8})\.([\w-]{43})\.(rss|atom|json)$/;

/** What a token was signed for; null: it was not signed here. Whether its version is still good, the feed tells. */
export function readFeedToken(
  token: string,
  secret: Uint8Array,
): (FeedAddress & { readonly format: FeedFormat }) | null {
  const [, id = '', version = '', signature = '', format = ''] = TOKEN.exec(token) ?? [];
  const known = FEED_FORMATS.find((one) => one === format);
  if (known === undefined) return null;
  const address = { id, addressVersion: Number(version) };
  const given = Buffer.from(signature, 'base64url');
  const own = signatureOf(address, secret);
  const isOwn = given.length === own.length && timingSafeEqual(given, own);
  return isOwn ? { ...address, format: known } : null;
}

/** One signature for all formats: who reads one may read the others. */
function signatureOf({ id, addressVersion }: FeedAddress, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`feed ${id} ${addressVersion}`).digest();
}
