import { type PageMetadata } from '@app/contracts';
import { type Element } from 'domhandler';
import { collapse, textOf } from '../dom/walk.js';
import { MAX_METADATA_CHARS, MAX_OPEN_GRAPH } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';

/** Metadata and what robots rules in it say. */
export interface DescribedPage {
  readonly metadata: PageMetadata;
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Reads what a page says about itself from its html, title, meta, link and first h1 elements. */
export function readMetadata(described: readonly Element[], resolver: UrlResolver): DescribedPage {
  const meta = readMeta(described);
  const openGraph = readOpenGraph(described);
  const robots = meta.get('robots');
  const directives = (robots ?? '').toLowerCase().split(/[\s,]+/);
  const isNone = directives.includes('none');
  return {
    metadata: withoutGaps({
      title: titleOf(described, openGraph),
      description: meta.get('description') ?? openGraph['og:description'],
      language: languageOf(described, meta),
      canonical: linkOf(described, resolver, 'canonical'),
      robots,
      favicon: linkOf(described, resolver, 'icon'),
      openGraph: Object.keys(openGraph).length === 0 ? undefined : openGraph,
    }),
    noindex: isNone || directives.includes('noindex'),
    nofollow: isNone || directives.includes('nofollow'),
  };
}

function withoutGaps(metadata: PageMetadata): PageMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** A value as readers want it: one line, bounded, undefined when there is nothing in it. */
function tidy(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = collapse(value.slice(0, 4 * MAX_METADATA_CHARS)).slice(0, MAX_METADATA_CHARS);
  return text === '' ? undefined : text.toWellFormed().replaceAll('\0', '');
}

/** First value of each meta name and http-equiv; robots rules of several elements add up. */
function readMeta(described: readonly Element[]): ReadonlyMap<string, string> {
  const meta = new Map<string, string>();
  for (const { name, attribs } of described) {
    if (name !== 'meta') continue;
    const key = (attribs.name ?? attribs['http-equiv'] ?? '').trim().toLowerCase();
    const value = tidy(attribs.content);
    if (key === '' || value === undefined) continue;
    const before = meta.get(key);
    if (before === undefined) meta.set(key, value);
    else if (key === 'robots') meta.set(key, `${before}, ${value}`.slice(0, MAX_METADATA_CHARS));
  }
  return meta;
}

function readOpenGraph(described: readonly Element[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const { name, attribs } of described) {
    if (name !== 'meta' || found.size >= MAX_OPEN_GRAPH) continue;
    const key = (attribs.property ?? attribs.name ?? '').trim().toLowerCase();
    const value = key.startsWith('og:') && key.length <= 100 ? tidy(attribs.content) : undefined;
    if (value !== undefined && !found.has(key)) found.set(key, value);
  }
  return Object.fromEntries(found);
}

function titleOf(
  described: readonly Element[],
  openGraph: Readonly<Record<string, string>>,
): string | undefined {
  const first = (name: string): string | undefined => {
    const element = described.find((candidate) => candidate.name === name);
    return element === undefined ? undefined : tidy(textOf(element, 4 * MAX_METADATA_CHARS));
  };
  return first('title') ?? openGraph['og:title'] ?? first('h1');
}

function languageOf(
  described: readonly Element[],
  meta: ReadonlyMap<string, string>,
): string | undefined {
  const html = described.find((element) => element.name === 'html')?.attribs;
  const language = tidy(html?.lang) ?? tidy(html?.['xml:lang']) ?? meta.get('content-language');
  // The pragma may list several languages; the page has one.
  return language?.split(',')[0]?.trim();
}

function linkOf(
  described: readonly Element[],
  resolver: UrlResolver,
  relation: string,
): string | undefined {
  for (const { name, attribs } of described) {
    if (name !== 'link' || attribs.href === undefined || attribs.href.trim() === '') continue;
    const own = (attribs.rel ?? '').toLowerCase().split(/\s+/);
    const address = own.includes(relation) ? resolver.resolveWeb(attribs.href) : undefined;
    if (address !== undefined) return address;
  }
  return undefined;
}
