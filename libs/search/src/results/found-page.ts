import { collapse, parseHtml, textOf } from '@app/content';
import type { FoundPage } from '../search-task.js';

const MAX_URL_CHARS = 2_048;
const MAX_TITLE_CHARS = 500;
const MAX_SNIPPET_CHARS = 2_000;
/** Markup beyond it cannot add to the text that is kept. */
const MAX_MARKUP_CHARS = 20_000;

/** Fields of a result as a backend has them. */
export interface RawResult {
  readonly url: unknown;
  readonly title: unknown;
  readonly snippet: unknown;
  /** Base of relative addresses. @default none: they are no results */
  readonly base?: string | undefined;
}

/** A result with clean texts; null: it has no web address. */
export function foundPage({ url, title, snippet, base }: RawResult): FoundPage | null {
  if (typeof url !== 'string' || url.length > MAX_URL_CHARS) return null;
  const parsed = URL.parse(url.trim(), base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.href.length > MAX_URL_CHARS)
    return null;
  return {
    url: parsed.href,
    title: clean(title, MAX_TITLE_CHARS),
    snippet: clean(snippet, MAX_SNIPPET_CHARS),
  };
}

/** Text of a value with tags and character references. */
export function textOfMarkup(value: unknown): unknown {
  if (typeof value !== 'string' || !/[<&]/.test(value)) return value;
  const [body] = parseHtml(`<body>${value.slice(0, MAX_MARKUP_CHARS)}`).children;
  return body && 'children' in body && 'name' in body ? textOf(body) : value;
}

function clean(value: unknown, maxChars: number): string {
  if (typeof value !== 'string') return '';
  const text = collapse(value.slice(0, 4 * maxChars).replace(/[\u0000-\u001f\u007f]/g, ' '));
  if (text.length <= maxChars) return text.toWellFormed();
  return `${text.slice(0, maxChars - 1).trimEnd()}…`.toWellFormed();
}
