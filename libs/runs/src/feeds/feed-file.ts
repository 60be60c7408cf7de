import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Queries, Statement } from '@app/database';
import { feedColumns, RUN_COLUMNS, type Feed, type FeedRun } from './feed.js';

/** A feed as a file that feed readers know. */
export interface FeedFile {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Its own address. */
  readonly url: string;
  /** The address of the service. */
  readonly home: string;
  readonly createdAt: Date;
  /** The newest first. */
  readonly items: readonly FeedItem[];
}

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

/** Most UTF-16 units of a title, and of all text of an item. */
const MAX_TITLE = 300;
const MAX_CONTENT = 4_000;

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly link: string | null;
  readonly content: string;
  readonly at: Date;
}

/** RSS 2.0, Atom (RFC 4287) or JSON Feed 1.1. */
export function feedFile(file: FeedFile, format: FeedFormat): string {
  const entries = file.items.map((item) => entryOf(file.id, item));
  if (format === 'json') return jsonFeed(file, entries);
  return format === 'rss' ? rss(file, entries) : atom(file, entries);
}

/** The id of a row in a feed: the same as long as the row is, and another one when it changes. */
export function feedItemId(
  feedId: string,
  { key, version }: Pick<FeedItem, 'key' | 'version'>,
): string {
  return `urn:feed:${feedId}:${key.slice(0, 32)}:${version}`;
}

function entryOf(feedId: string, item: FeedItem): Entry {
  const row = JSON.parse(item.data) as Readonly<Record<string, unknown>>;
  const link = ['url', 'website', 'maps_url'].map((name) => row[name]).find(isWebAddress) ?? null;
  const named = ['title', 'name', 'domain', 'url'].map((name) => row[name]).find(isText);
  return {
    id: feedItemId(feedId, item),
    title: plain(named ?? `Row ${item.key.slice(0, 8)}`, MAX_TITLE),
    link,
    content: plain(
      Object.entries(row)
        .map(([name, value]) => `${name}: ${isText(value) ? value : JSON.stringify(value)}`)
        .join('\n'),
      MAX_CONTENT,
    ),
    at: item.deliveredAt,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isWebAddress(value: unknown): value is string {
  return isText(value) && /^https?:\/\/[^\s"<>]+$/i.test(value) && URL.canParse(value);
}

/** What XML 1.0 has no form for, not even escaped: most control characters, U+FFFE and U+FFFF. */
const NOT_XML = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu;

function plain(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replace(NOT_XML, '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function xml(text: string): string {
  return plain(text, Infinity).replace(/[&<>"']/g, (one) => ESCAPES[one] ?? '');
}

/** Readers take a description of RSS for HTML once they have decoded the XML. */
function asHtml(text: string): string {
  return xml(text).replaceAll('\n', '<br>\n');
}

function updatedAt({ createdAt }: FeedFile, entries: readonly Entry[]): Date {
  return entries[0]?.at ?? createdAt;
}

function rss(file: FeedFile, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ id, title, link, content, at }) => `
    <item>
      <title>${xml(title)}</title>${link === null ? '' : `\n      <link>${xml(link)}</link>`}
      <guid isPermaLink="false">${xml(id)}</guid>
      <pubDate>${at.toUTCString()}</pubDate>
      <description>${xml(asHtml(content))}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${xml(file.title)}</title>
    <link>${xml(file.home)}</link>
    <description>${xml(file.description)}</description>
    <atom:link href="${xml(file.url)}" rel="self" type="application/rss+xml"/>
    <lastBuildDate>${updatedAt(file, entries).toUTCString()}</lastBuildDate>${items.join('')}
  </channel>
</rss>
`;
}

function atom(file: FeedFile, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ id, title, link, content, at }) => `
  <entry>
    <id>${xml(id)}</id>
    <title>${xml(title)}</title>${link === null ? '' : `\n    <link href="${xml(link)}"/>`}
    <updated>${at.toISOString()}</updated>
    <content type="text">${xml(content)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${xml(file.id)}</id>
  <title>${xml(file.title)}</title>
  <subtitle>${xml(file.description)}</subtitle>
  <author><name>Trawl</name></author>
  <link rel="self" href="${xml(file.url)}"/>
  <updated>${updatedAt(file, entries).toISOString()}</updated>${items.join('')}
</feed>
`;
}

function jsonFeed(file: FeedFile, entries: readonly Entry[]): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: file.title,
    description: file.description,
    home_page_url: file.home,
    feed_url: file.url,
    items: entries.map(({ id, title, link, content, at }) => ({
      id,
      title,
      ...(link === null ? {} : { url: link }),
      content_text: content,
      date_published: at.toISOString(),
    })),
  });
}

export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;
type FeedFormat = (typeof FEED_FORMATS)[number];

/** What an address is signed for: a feed, and which of its addresses. */
interface FeedAddress {
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

const FIND: Statement = {
  name: 'find_feed',
  text: `SELECT ${feedColumns('f')} FROM feeds f WHERE f.id = $1 AND f.tenant_id = $2`,
};
const LIST: Statement = {
  name: 'list_feeds',
  text: `SELECT ${feedColumns('f')} FROM feeds f WHERE f.tenant_id = $1
         ORDER BY f.created_at DESC, f.id DESC LIMIT $2`,
};
const RUNS: Statement = {
  name: 'list_feed_runs',
  text: `SELECT ${RUN_COLUMNS} FROM feed_runs WHERE feed_id = $1 ORDER BY started_at DESC, id DESC LIMIT $2`,
};
const ITEMS: Statement = {
  name: 'read_feed_items',
  text: `SELECT encode(key, 'hex') AS key, version, data::text AS data, delivered_at AS "deliveredAt"
         FROM feed_rows WHERE feed_id = $1 AND delivered_at IS NOT NULL
         ORDER BY delivered_at DESC, key LIMIT $2`,
};
const EVENTS: Statement = {
  name: 'read_feed_events',
  text: `SELECT created_at AS "createdAt", CASE WHEN length(body) <= $3 THEN body END AS body
         FROM feed_events WHERE feed_id = $1 AND type = 'feed.rows' ORDER BY id DESC LIMIT $2`,
};
/** The signed address names the feed, not its tenant. */
const OWNER: Statement = {
  name: 'find_feed_owner',
  text: `SELECT ${feedColumns('f')}, f.tenant_id AS "tenantId" FROM feeds f WHERE f.id = $1`,
};

/** The tenant's feed, or null. @param own database of the tenant */
export async function findFeed(own: Queries, tenantId: string, id: string): Promise<Feed | null> {
  const [row] = await own.query<Feed & Record<string, unknown>>(FIND, [id, tenantId]);
  return row ?? null;
}

/** The tenant's feeds, the newest first. */
export function listFeeds(own: Queries, tenantId: string, limit: number): Promise<Feed[]> {
  return own.query<Feed & Record<string, unknown>>(LIST, [tenantId, limit]);
}

/** The newest runs of a feed. */
export function listFeedRuns(own: Queries, feedId: string, limit: number): Promise<FeedRun[]> {
  return own.query<FeedRun & Record<string, unknown>>(RUNS, [feedId, limit]);
}

interface OwnedFeed extends Feed {
  readonly tenantId: string;
}

/** A feed by its id alone, for a request whose signature was checked. */
export async function findSignedFeed(database: Queries, id: string): Promise<OwnedFeed | null> {
  const [row] = await database.query<OwnedFeed & Record<string, unknown>>(OWNER, [id]);
  return row ?? null;
}

/** A row that was delivered. */
interface FeedItem {
  /** Hash of its identity key, hexadecimal. */
  readonly key: string;
  readonly version: number;
  /** JSON text. */
  readonly data: string;
  readonly deliveredAt: Date;
}

/** The rows that were delivered last. */
export function readFeedItems(own: Queries, feedId: string, limit: number): Promise<FeedItem[]> {
  return own.query<FeedItem & Record<string, unknown>>(ITEMS, [feedId, limit]);
}

/** An event as its webhook has it, whether or not one was sent. */
export interface FeedEventText {
  readonly createdAt: Date;
  /** JSON; null: longer than was asked for. */
  readonly body: string | null;
}

/** Events with rows, the newest first. */
export function readFeedEvents(
  own: Queries,
  feedId: string,
  { limit, maxChars }: { readonly limit: number; readonly maxChars: number },
): Promise<FeedEventText[]> {
  return own.query<FeedEventText & Record<string, unknown>>(EVENTS, [feedId, limit, maxChars]);
}
