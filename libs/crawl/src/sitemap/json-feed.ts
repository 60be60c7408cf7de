import type { EntryList } from './entry-list.js';
import { MAX_JSON_FEED_CHARS, MAX_LOC_CHARS, type SitemapKind } from './sitemap-file.js';

const VERSION = 'https://jsonfeed.org/version/';

/** A JSON Feed (jsonfeed.org, version 1.1): one object, so it is read when it has come whole. */
export class JsonFeed {
  kind: SitemapKind = 'unknown';
  private readonly pieces: string[] = [];
  private chars = 0;

  constructor(private readonly entries: EntryList) {}

  write(text: string): void {
    this.chars += text.length;
    if (this.chars > MAX_JSON_FEED_CHARS) this.entries.stop('bytes');
    else this.pieces.push(text);
  }

  /** @param isWhole false: of the object the end is missing */
  end(isWhole: boolean): void {
    const feed = isWhole ? parsed(this.pieces.join('')) : null;
    if (!isObject(feed) || !String(feed['version']).startsWith(VERSION)) return;
    this.kind = 'json';
    const items: unknown = feed['items'];
    for (const item of Array.isArray(items) ? items : []) {
      if (!isObject(item)) continue;
      const { url = item['external_url'], date_modified, date_published } = item;
      const changed = date_modified ?? date_published;
      if (typeof url !== 'string') continue;
      const loc = url.length > MAX_LOC_CHARS ? null : url.trim();
      this.entries.add('links', loc, typeof changed === 'string' ? changed : null);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Any other file that begins with a brace.
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
