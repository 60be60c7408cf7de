import { decodeBody, sniffCharset } from '@app/content';
import type { PageReading } from './page-reading.js';
import { readHtmlResults, type HtmlShape } from './read-html-results.js';
import { readJsonResults, type JsonShape } from './read-json-results.js';
import { readSearxngJson, SEARXNG_PAGE } from './searxng-results.js';

/** How the results of a backend are read. */
export type ResultShape =
  | { readonly kind: 'json'; readonly shape: JsonShape }
  | { readonly kind: 'html'; readonly shape: HtmlShape }
  | { readonly kind: 'searxng_json' }
  | { readonly kind: 'searxng_html' };

/** One page of results as it arrived. */
export interface SearchResultPage {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Address of the page. */
  readonly url: string;
  readonly shape: ResultShape;
}

/** Reads one page of results: outside text, as much as a backend sends. Never on an event loop. */
export function readSearchResults({
  body,
  contentType,
  url,
  shape,
}: SearchResultPage): PageReading {
  const text = textOfAnswer({ body, contentType, url });
  switch (shape.kind) {
    case 'json':
      return readJsonResults(text, shape.shape);
    case 'searxng_json':
      return readSearxngJson(text);
    case 'html':
      return readHtmlResults(text, url, shape.shape);
    case 'searxng_html':
      return readHtmlResults(text, url, SEARXNG_PAGE);
  }
}

/** The text of an answer, by the encoding it states or is detected to have. */
export function textOfAnswer({
  body,
  contentType,
  url,
}: Pick<SearchResultPage, 'body' | 'contentType' | 'url'>): string {
  return decodeBody(body, sniffCharset(body, contentType, { url }));
}
