import { type PageMetadata } from '@app/contracts';
import { parsePage, type ParsedPage } from './dom/parse-html.js';
import { type JsonLd, readJsonLd } from './json-ld/read-json-ld.js';
import { pageBase } from './links/page-base.js';
import { UrlResolver } from './links/url-resolver.js';
import { readMetadata } from './metadata/read-metadata.js';

/** One parsed page, for a reader of another library. It is not to be changed. */
export interface ReadablePage {
  readonly parsed: ParsedPage;
  /** Resolves addresses as the page means them: by its `<base>`. */
  readonly resolver: UrlResolver;
  /** Final address, after redirects. */
  readonly url: string;
  readonly jsonLd: JsonLd;
  readonly metadata: PageMetadata;
}

/** Parses a page without making any output of it. Never throws. */
export function readablePage(html: string, url: string): ReadablePage {
  const parsed = parsePage(html);
  const resolver = new UrlResolver(pageBase(parsed.described, url));
  const jsonLd = readJsonLd(parsed.jsonLd);
  const { metadata } = readMetadata(parsed.described, resolver, jsonLd.items);
  return { parsed, resolver, url, jsonLd, metadata };
}
