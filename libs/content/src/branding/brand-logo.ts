import { type Element } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { walk } from '../dom/walk.js';
import { isItem, type JsonLdItem, typesOf } from '../json-ld/json-ld-item.js';
import { type UrlResolver } from '../links/url-resolver.js';

/** A picture that may be the logo, and how much speaks for it. */
interface Candidate {
  readonly url: string;
  readonly weight: number;
}

/** Pictures examined; a logo is near the top. */
const MAX_PICTURES = 2_000;

/** What speaks for a picture, or against it, and how much is enough. */
const NAMED = 4;
const ENOUGH = 5;
const AROUND = { header: 2, named: 3, home: 3, footer: -3, others: -8 };
type Around = keyof typeof AROUND;

/**
 * Address of the logo: what the page's JSON-LD says, else a picture that is named so or leads home,
 * most of all in the head of the page, else what its meta elements say.
 */
export function findLogo(
  page: ParsedPage,
  resolver: UrlResolver,
  items: readonly JsonLdItem[],
  openGraph: string | undefined,
): string | undefined {
  const stated = statedLogo(items, resolver) ?? resolved(openGraph, resolver);
  return stated ?? shownLogo(page, resolver);
}

function resolved(reference: unknown, resolver: UrlResolver): string | undefined {
  return typeof reference === 'string' && reference.trim() !== ''
    ? resolver.resolveWeb(reference.trim())
    : undefined;
}

/** Types with logos of others: an employer's, a brand's that is sold here. */
const OTHERS = /^(?:JobPosting|Product|Brand|Offer|Event|Person|Review)$/;

/** The logo that JSON-LD items name as that of the page's owner. */
export function statedLogo(
  items: readonly JsonLdItem[],
  resolver: UrlResolver,
): string | undefined {
  const own = items.filter((item) => !typesOf(item).some((type) => OTHERS.test(type)));
  for (const holder of [...own, ...own.map(({ publisher }) => publisher)]) {
    const logo = isItem(holder) ? addressOf(holder.logo, items, resolver) : undefined;
    if (logo !== undefined) return logo;
  }
  return undefined;
}

/** An address, an ImageObject, one that is elsewhere by its `@id`, or a list of these. */
function addressOf(
  value: unknown,
  items: readonly JsonLdItem[],
  resolver: UrlResolver,
): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isItem(first)) return resolved(first, resolver);
  const own = resolved(first.contentUrl ?? first.url, resolver);
  if (own !== undefined || first['@id'] === undefined) return own;
  const named = items.find((item) => item !== first && item['@id'] === first['@id']);
  return named === undefined ? undefined : resolved(named.contentUrl ?? named.url, resolver);
}

/** The picture that is named a logo or leads home, most of all in the head of the page. */
export function shownLogo({ document }: ParsedPage, resolver: UrlResolver): string | undefined {
  const finder = new LogoFinder(resolver);
  walk(document, finder);
  return finder.best !== null && finder.best.weight >= ENOUGH ? finder.best.url : undefined;
}

/** Walks a page with what the open elements say of the pictures in them. */
class LogoFinder {
  best: Candidate | null = null;
  private pictures = 0;
  private readonly home: string | undefined;
  /** What the open elements are; each kind counts once, however many of them are it. */
  private readonly open: ReadonlySet<Around>[] = [];

  constructor(private readonly resolver: UrlResolver) {
    this.home = resolver.resolveWeb('/');
  }

  text(): void {
    // Logos are pictures.
  }

  enter(element: Element): boolean {
    if (SKIPPED.has(element.name)) return false;
    if (isPicture(element)) this.look(element);
    const kinds = this.kindsOf(element);
    this.open.push(kinds.length === 0 ? this.around : new Set([...this.around, ...kinds]));
    return true;
  }

  leave(): void {
    this.open.pop();
  }

  isDone(): boolean {
    return this.pictures >= MAX_PICTURES;
  }

  private get around(): ReadonlySet<Around> {
    return this.open.at(-1) ?? NOTHING;
  }

  private kindsOf(element: Element): readonly Around[] {
    const { name, attribs } = element;
    const { class: classes = '', id = '' } = attribs;
    const isHome = name === 'a' && this.leadsHome(attribs);
    if (!isHome && classes === '' && id === '' && !LANDMARKS.has(name)) return [];
    const names = `${classes} ${id}`.slice(0, 500);
    const kinds: (Around | false)[] = [
      isHome && 'home',
      (name === 'header' || name === 'nav' || HEADER.test(names)) && 'header',
      name === 'footer' && 'footer',
      OTHERS_PLACE.test(names) && 'others',
      LOGO_WORD.test(names) && 'named',
    ];
    return kinds.filter((kind) => kind !== false);
  }

  private leadsHome({ rel, href }: Readonly<Record<string, string>>): boolean {
    if (/\bhome\b/i.test(rel ?? '')) return true;
    const address = href === undefined ? undefined : this.resolver.resolveWeb(href);
    if (address === undefined || this.home === undefined) return false;
    return address.startsWith(this.home) && HOME_PATH.test(address.slice(this.home.length));
  }

  private look(picture: Element): void {
    this.pictures++;
    const url = pictureAddress(picture, this.resolver);
    if (url === undefined) return;
    const { class: classes = '', id = '', alt = '' } = picture.attribs;
    const isNamed = LOGO_WORD.test(`${classes} ${id} ${alt} ${fileName(url)}`.slice(0, 2_000));
    const around = [...this.around].reduce((sum, kind) => sum + AROUND[kind], 0);
    const weight = around + (isNamed ? NAMED : 0);
    if (weight > (this.best?.weight ?? 0)) this.best = { url, weight };
  }
}

const NOTHING: ReadonlySet<Around> = new Set();
const LANDMARKS = new Set(['header', 'nav', 'footer']);
const SKIPPED = new Set(['script', 'style', 'template', 'noscript']);
const LOGO_WORD =
  /(?:^|[^a-z])(?:site)?-?logo(?:type|mark|img|image)?(?:$|[^a-z])|[a-z]Logo(?:$|[^a-z])|\bbrand(?:-?logo|-image|-img)?(?=$|\s)/i;
const OTHERS_PLACE =
  /partner|client|sponsor|customer|press|as-seen|payment|award|testimonial|trusted/i;
const HEADER = /(?:^|[\s_-])(?:header|masthead|navbar|topbar)/i;
/** The front page, or that of a language. */
const HOME_PATH = /^(?:[a-z]{2}(?:-[a-z]{2})?(?:\/|(?=[?#]|$)))?(?:index\.\w+)?(?:[?#]|$)/i;

const isPicture = ({ name }: Element): boolean =>
  name === 'img' || name === 'use' || name === 'image' || name === 'object';

const SOURCES = ['src', 'data-src', 'data-lazy-src', 'href', 'xlink:href', 'data'];

function pictureAddress({ attribs }: Element, resolver: UrlResolver): string | undefined {
  for (const source of SOURCES) {
    const written = attribs[source];
    // A reference into the page itself is no picture to show elsewhere.
    if (written === undefined || written.trim().startsWith('#')) continue;
    const address = resolved(written, resolver);
    if (address !== undefined) return address;
  }
  const [first] = (attribs.srcset ?? '').trim().split(/[\s,]/, 1);
  return resolved(first, resolver);
}

function fileName(url: string): string {
  return url.slice(url.lastIndexOf('/', url.length - 2) + 1);
}
