import type { FeedFormat } from './feed-address.js';
import type { FeedItem } from './read-feeds.js';

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
