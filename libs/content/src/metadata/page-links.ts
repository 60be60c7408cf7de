import { type Element } from 'domhandler';
import { MAX_ALTERNATES, MAX_FEEDS, MAX_META_ELEMENTS } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { tidy } from './meta-values.js';

export interface LinkedFeed {
  readonly url: string;
  readonly type: string;
  readonly title?: string;
}

export interface Alternate {
  readonly language: string;
  readonly url: string;
}

/** Link elements that lead somewhere, with what they are to the page. */
export interface LinkElement {
  readonly relations: ReadonlySet<string>;
  readonly url: string;
  readonly attribs: Readonly<Record<string, string>>;
}

export function pageLinks(
  described: readonly Element[],
  resolver: UrlResolver,
): readonly LinkElement[] {
  const links: LinkElement[] = [];
  let seen = 0;
  for (const { name, attribs } of described) {
    if (name !== 'link') continue;
    if (++seen > MAX_META_ELEMENTS) break;
    const { href, rel } = attribs;
    if (rel === undefined || href === undefined || href.trim() === '') continue;
    const url = resolver.resolveWeb(href);
    if (url === undefined) continue;
    links.push({ relations: new Set(rel.trim().toLowerCase().split(/\s+/)), url, attribs });
  }
  return links;
}

/** Address of the first link of a relation. */
export function linkOf(links: readonly LinkElement[], relation: string): string | undefined {
  return links.find(({ relations }) => relations.has(relation))?.url;
}

/** Types of feeds; what only says JSON or XML may be anything, such as a page's data. */
const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/;

/** News feeds that the page offers. */
export function feedsOf(links: readonly LinkElement[]): readonly LinkedFeed[] {
  const feeds = new Map<string, LinkedFeed>();
  for (const { relations, url, attribs } of links) {
    if (feeds.size >= MAX_FEEDS) break;
    const type = (attribs.type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const isFeed = relations.has('alternate') || relations.has('feed');
    if (!isFeed || !FEED_TYPE.test(type) || feeds.has(url)) continue;
    const title = tidy(attribs.title);
    feeds.set(url, { url, type, ...(title === undefined ? {} : { title }) });
  }
  return [...feeds.values()];
}

/** BCP 47 as far as pages keep to it, and the code for "any other language". */
const LANGUAGE = /^(?:x-default|[a-z]{1,8}(?:[-_][a-z0-9]{1,8}){0,8})$/i;

/** A language tag as the page has it, but with hyphens; undefined of what is none. */
export function languageTag(text: string | undefined): string | undefined {
  const tag = text?.trim();
  return tag !== undefined && LANGUAGE.test(tag) ? tag.replaceAll('_', '-') : undefined;
}

/** The same page in other languages, itself often among them. */
export function alternatesOf(links: readonly LinkElement[]): readonly Alternate[] {
  const alternates = new Map<string, Alternate>();
  for (const { relations, url, attribs } of links) {
    if (alternates.size >= MAX_ALTERNATES) break;
    const language = languageTag(attribs.hreflang);
    if (language === undefined || !relations.has('alternate')) continue;
    const key = `${language.toLowerCase()} ${url}`;
    if (!alternates.has(key)) alternates.set(key, { language, url });
  }
  return [...alternates.values()];
}

/**
 * The icon that shows a page best at the size of a list entry: icons before those for home screens,
 * one for light windows before one for dark, the largest stated size up to 192 pixels, then the
 * first. Only what the page states: `/favicon.ico` may exist or not.
 */
export function faviconOf(links: readonly LinkElement[]): string | undefined {
  let best: { readonly url: string; readonly rank: number } | undefined;
  for (const link of links) {
    const rank = iconRank(link);
    if (rank > (best?.rank ?? 0)) best = { url: link.url, rank };
  }
  return best?.url;
}

const LARGEST_ICON_PX = 192;
/** What an icon without a size is taken for. */
const USUAL_ICON_PX = 16;

/** 0: no icon. */
function iconRank({ relations, attribs }: LinkElement): number {
  const kind = iconKind(relations);
  if (kind === 0) return 0;
  const isForDark = /prefers-color-scheme\s*:\s*dark/i.test(attribs.media ?? '');
  return kind * 2_000 + (isForDark ? 0 : 1_000) + iconPx(attribs);
}

function iconKind(relations: ReadonlySet<string>): number {
  if (relations.has('icon')) return 3;
  if (relations.has('apple-touch-icon') || relations.has('apple-touch-icon-precomposed')) return 2;
  return relations.has('mask-icon') || relations.has('fluid-icon') ? 1 : 0;
}

function iconPx({ sizes, type }: Readonly<Record<string, string>>): number {
  if (/svg/i.test(type ?? '') || /^\s*any\s*$/i.test(sizes ?? '')) return LARGEST_ICON_PX;
  const widths = [...(sizes ?? '').slice(0, 200).matchAll(/(\d{1,4})x\d/gi)].map(([, width]) => {
    return Number(width);
  });
  if (widths.length === 0) return USUAL_ICON_PX;
  // One that is much too large is slower to show, not better.
  return Math.max(...widths.map((px) => (px <= LARGEST_ICON_PX ? px : USUAL_ICON_PX + 1)));
}
