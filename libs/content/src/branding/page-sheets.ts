import { isText, type Document, type Element } from 'domhandler';
import { walk } from '../dom/walk.js';
import { UrlResolver } from '../links/url-resolver.js';
import { MAX_CSS_CHARS } from '../limits.js';
import { importsOf } from './css-imports.js';
import { isForDesktop } from './media-query.js';

/** A style sheet that was fetched. */
export interface FetchedSheet {
  /** After redirects: what its own addresses are relative to. */
  readonly url: string;
  readonly css: string;
}

/** The sheets that a page links and imports, as far as they are there. */
export interface LinkedSheets {
  readonly resolver: UrlResolver;
  /** By the address that is requested. */
  readonly sheets: ReadonlyMap<string, FetchedSheet>;
}

/** Where a page has style from: written in it, or behind an address. */
export type SheetSource =
  | { readonly kind: 'inline'; readonly css: string }
  | { readonly kind: 'linked'; readonly href: string };

/** CSS in the order in which it counts; `origin` is null for sheets in the page. */
export interface SheetText {
  readonly css: string;
  readonly origin: string | null;
}

/** Style elements, and links to sheets of a desktop's screen, in document order. */
export function sheetSources(document: Document): readonly SheetSource[] {
  const sources: SheetSource[] = [];
  let chars = 0;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name === 'link' && isSheetLink(element)) {
        sources.push({ kind: 'linked', href: element.attribs.href ?? '' });
      }
      if (element.name !== 'style') return element.name !== 'template';
      if (/print|speech/i.test(element.attribs.media ?? '')) return false;
      const css = textIn(element);
      sources.push({ kind: 'inline', css });
      chars += css.length;
      return false;
    },
    // One character more than may be read shows that there is more.
    isDone: () => chars > MAX_CSS_CHARS,
  });
  return sources;
}

function textIn(element: Element): string {
  const texts = element.children.map((child) =>
    isText(child) ? child.data.slice(0, MAX_CSS_CHARS + 1) : '',
  );
  return texts.join('\n');
}

/**
 * Among them those that scripts switch on once they are there: `media=print
 * onload="this.media='all'"`.
 */
function isSheetLink({ attribs }: Element): boolean {
  const { href = '', media = '', onload = '' } = attribs;
  const rel = (attribs.rel ?? '').toLowerCase().split(/\s+/);
  const isLate = rel.includes('preload') && attribs.as === 'style' && /stylesheet/i.test(onload);
  const isSheet = rel.includes('stylesheet') && !rel.includes('alternate');
  if ((!isSheet && !isLate) || href.trim() === '' || attribs.disabled !== undefined) return false;
  return /\bmedia\b/i.test(onload) || isForDesktop(media);
}

/** The addresses that a page or sheet needs fetched, absolute, in order, each once. */
export function neededSheets(
  sources: readonly SheetSource[],
  resolver: UrlResolver,
): readonly string[] {
  const references = sources.flatMap((source) =>
    source.kind === 'linked' ? [source.href] : importsOf(source.css),
  );
  return resolvedAll(references, resolver);
}

function resolvedAll(references: readonly string[], resolver: UrlResolver): readonly string[] {
  const addresses = references.flatMap(
    (reference) => resolver.resolveWeb(reference.trim())?.split('#', 1) ?? [],
  );
  return [...new Set(addresses)];
}

/** The style of a page in order, what a sheet imports before it; each fetched sheet once. */
export function sheetTexts(
  document: Document,
  linked: LinkedSheets | undefined,
): readonly SheetText[] {
  const texts: SheetText[] = [];
  const seen = new Set<string>();
  for (const source of sheetSources(document)) {
    const needed = linked === undefined ? [] : neededSheets([source], linked.resolver);
    if (linked !== undefined) for (const url of needed) addSheet(url, linked, seen, texts);
    if (source.kind === 'inline') texts.push({ css: source.css, origin: null });
  }
  return texts;
}

/** A sheet after what it imports. */
function addSheet(
  url: string,
  { sheets }: LinkedSheets,
  seen: Set<string>,
  texts: SheetText[],
): void {
  const stack = [{ url, isOpened: false }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const sheet = sheets.get(top.url);
    if (sheet === undefined) continue;
    if (top.isOpened) {
      texts.push({ css: sheet.css, origin: sheet.url });
      continue;
    }
    if (seen.has(top.url)) continue;
    seen.add(top.url);
    stack.push({ url: top.url, isOpened: true });
    for (const one of importedBy(sheet).toReversed()) stack.push({ url: one, isOpened: false });
  }
}

/** Absolute addresses that a fetched sheet imports. */
export function importedBy({ css, url }: FetchedSheet): readonly string[] {
  return neededSheets([{ kind: 'inline', css }], new UrlResolver(url));
}
