import { isTag, type Document, type Element, type Text } from 'domhandler';
import { isUnseen } from '../../dom/visibility.js';
import { textOf, walk, type Visitor } from '../../dom/walk.js';
import { MarkedItems, MICRODATA, RDFA } from '../embedded/marked-items.js';
import { BLOCKS, LineBuilder } from './line-builder.js';
import type { PageLine, PageLink, PagePicture, PageRegion } from './page-line.js';

/** Input of all layers of a listing, from one walk over the tree. */
export interface ListingSurvey {
  readonly lines: readonly PageLine[];
  readonly links: readonly PageLink[];
  readonly pictures: readonly PagePicture[];
  /** Addresses of frames, where maps are. */
  readonly frames: readonly PageLink[];
  /** Elements that carry coordinates in attributes. */
  readonly positions: readonly Element[];
  readonly microdata: MarkedItems;
  readonly rdfa: MarkedItems;
  readonly isCut: boolean;
}

const MAX_LINKS = 5_000;
const MAX_PICTURES = 1_000;
const MAX_FRAMES = 50;
const BOLD = new Set(['b', 'strong', 'u', 'th']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const NEVER_ENTERED = new Set(['script', 'style', 'template', 'svg', 'math']);
/** Ratings are often only said to those who cannot see the stars. */
const SPOKEN_RATING = /\d\s?(?:\.\d\s?)?(?:out of|stars?|of 5|\/ ?5)|rat(?:ing|ed)/i;
const MAX_SPOKEN_CHARS = 100;

export function surveyListing(document: Document): ListingSurvey {
  const surveyor = new Surveyor();
  walk(document, surveyor);
  return surveyor.finish();
}

/** What an element changes for all it holds. */
interface Scope {
  readonly element: Element | null;
  readonly region: PageRegion;
  readonly addressElement: Element | null;
  readonly isBold: boolean;
  readonly isHidden: boolean;
  readonly isInGallery: boolean;
  readonly isHero: boolean;
}

const OUTSIDE: Scope = {
  element: null,
  region: 'body',
  addressElement: null,
  isBold: false,
  isHidden: false,
  isInGallery: false,
  isHero: false,
};

class Surveyor implements Visitor {
  private readonly builder = new LineBuilder();
  private readonly classMarks = new ClassMarkReader();
  private readonly links: PageLink[] = [];
  private readonly pictures: PagePicture[] = [];
  private readonly frames: PageLink[] = [];
  private readonly positions: Element[] = [];
  private readonly microdata = new MarkedItems(MICRODATA);
  private readonly rdfa = new MarkedItems(RDFA);
  private scopes: Scope[] = [OUTSIDE];
  private hasBrokenCell = false;

  private get scope(): Scope {
    return this.scopes.at(-1) ?? OUTSIDE;
  }

  text(data: string, node: Text): void {
    if (!this.scope.isHidden) this.builder.add(data, node, this.scope);
  }

  enter(element: Element): boolean {
    if (NEVER_ENTERED.has(element.name)) return false;
    this.microdata.enter(element);
    this.rdfa.enter(element);
    this.openScope(element);
    this.collect(element);
    this.breakBefore(element);
    return true;
  }

  leave(element: Element): void {
    this.microdata.leave(element);
    this.rdfa.leave(element);
    this.breakAfter(element);
    if (this.scope.element === element) this.scopes.pop();
  }

  finish(): ListingSurvey {
    const lines = this.builder.finish();
    const { links, pictures, frames, positions, microdata, rdfa } = this;
    const isCut = this.builder.isCut || microdata.isCut || rdfa.isCut;
    return { lines, links, pictures, frames, positions, microdata, rdfa, isCut };
  }

  private openScope(element: Element): void {
    const outer = this.scope;
    const marks = this.classMarks.marksOf(element);
    const region = outer.region === 'other' ? undefined : this.regionAt(element, marks);
    const scope: Scope = {
      element,
      region: region ?? outer.region,
      addressElement: outer.addressElement ?? (element.name === 'address' ? element : null),
      isBold: outer.isBold || BOLD.has(element.name),
      isHidden: outer.isHidden || isUnseen(element),
      isInGallery: outer.isInGallery || marks.isGallery,
      isHero: outer.isHero || marks.isHero,
    };
    if (differ(scope, outer)) this.scopes.push(scope);
  }

  /** A heading such as "People also viewed" speaks for the whole block it is in. */
  private regionAt(element: Element, marks: ClassMarks): PageRegion | undefined {
    if (HEADINGS.has(element.name) && isOtherBusinessesHeading(textOf(element, 60)))
      this.markParent(element);
    return regionOf(element, marks);
  }

  private markParent({ parent }: Element): void {
    if (parent === null || !isTag(parent) || parent.name === 'body' || parent.name === 'main')
      return;
    const outer = this.scope;
    if (outer.element === parent)
      this.scopes[this.scopes.length - 1] = { ...outer, region: 'other' };
    else this.scopes.push({ ...outer, element: parent, region: 'other' });
  }

  private collect(element: Element): void {
    const { name, attribs } = element;
    const { region, isHidden } = this.scope;
    const isLink = name === 'a' && attribs.href !== undefined && this.links.length < MAX_LINKS;
    if (isLink && !isHidden) this.links.push({ href: attribs.href ?? '', element, region });
    if (name === 'img' && this.pictures.length < MAX_PICTURES) this.addPicture(element);
    const frame = name === 'iframe' ? (attribs.src ?? attribs['data-src']) : undefined;
    if (frame !== undefined && this.frames.length < MAX_FRAMES)
      this.frames.push({ href: frame, element, region });
    const hasPosition = attribs['data-lat'] ?? attribs['data-latitude'];
    if (hasPosition !== undefined && this.positions.length < MAX_FRAMES)
      this.positions.push(element);
    if (!isHidden) this.addSpoken(element);
  }

  private addPicture(element: Element): void {
    const { region, isInGallery, isHero: isInHero } = this.scope;
    const { attribs } = element;
    const own = attribs.src ?? '';
    const lazy = attribs['data-src'] ?? attribs['data-lazy-src'] ?? attribs['data-original'];
    const src = lazy ?? (own.startsWith('data:') ? '' : own);
    if (src === '') return;
    this.pictures.push({
      src,
      alt: attribs.alt ?? '',
      element,
      region,
      isInGallery,
      isHero: isInHero,
    });
  }

  private addSpoken(element: Element): void {
    const spoken = element.attribs['aria-label'] ?? element.attribs.title;
    if (spoken === undefined || spoken.length > MAX_SPOKEN_CHARS) return;
    const [first] = element.children;
    if (SPOKEN_RATING.test(spoken) && (first === undefined || !('data' in first)))
      this.builder.addSpoken(` ${spoken} `, element, this.scope);
  }

  private breakBefore({ name }: Element): void {
    if (name === 'td' || name === 'th') {
      if (this.hasBrokenCell) this.builder.endLine();
      else this.builder.cell();
      this.hasBrokenCell = false;
    } else if (BLOCKS.has(name) || name === 'br') this.endLine();
    else this.builder.boundary('begin');
  }

  private breakAfter({ name }: Element): void {
    if (BLOCKS.has(name)) this.endLine();
    else this.builder.boundary('end');
    if (name === 'tr') this.hasBrokenCell = false;
  }

  /** A cell with lines of its own is layout, not a value in a row. */
  private endLine(): void {
    this.builder.endLine();
    this.hasBrokenCell = true;
  }
}

const differ = (one: Scope, other: Scope): boolean =>
  one.region !== other.region ||
  one.addressElement !== other.addressElement ||
  one.isBold !== other.isBold ||
  one.isHidden !== other.isHidden ||
  one.isInGallery !== other.isInGallery ||
  one.isHero !== other.isHero;

const BY_TAG: Readonly<Record<string, PageRegion>> = {
  header: 'head',
  nav: 'nav',
  footer: 'foot',
  blockquote: 'other',
};

const BY_ROLE: Readonly<Record<string, PageRegion>> = {
  banner: 'head',
  navigation: 'nav',
  contentinfo: 'foot',
};

const MARKS: readonly (readonly [RegExp, PageRegion])[] = [
  [
    /(?:^|[\s_-])(?:similar|related|nearby|also-?viewed|you-?may|recommended-?(?:businesses|places)|testimonials?|review-(?:item|card|body|text|content)|comments?|other-?locations|sponsored|advert\w*|cookie\w*|popup|modal)(?:[\s_-]|$)/i,
    'other',
  ],
  [/(?:^|[\s_-])(?:site-?|page-?|main-?|global-?)?foot(?:er)?(?:[\s_-]|$)/i, 'foot'],
  [
    /(?:^|[\s_-])(?:top-?bar|top-?header|site-?header|main-?header|masthead|navbar)(?:[\s_-]|$)/i,
    'head',
  ],
];

/** Headings of blocks about other businesses. */
const OTHERS_HEADING =
  /^(?:people also|customers also|similar|nearby|related|other (?:nearby|locations|shops|cafes|stores|restaurants|hotels|businesses|offices)|more (?:locations|restaurants|hotels|places|businesses)|you (?:may|might) also|sponsored|featured (?:businesses|listings)|explore more|(?:recommended|customer|guest|recent|latest|patient|client|user) reviews|testimonials|what (?:our )?(?:clients|customers|patients|people)|reviews$)/i;

const isOtherBusinessesHeading = (text: string): boolean => OTHERS_HEADING.test(text.trim());

const GALLERY =
  /gallery|carousel|slider|swiper|slideshow|photo-?(?:grid|strip|list)|lightbox|splide|slick/i;
const HERO = /hero|banner|jumbotron|masthead|cover|featured-?image|main-?image|splash/i;

/** What the id and the classes of an element say about what it holds. */
interface ClassMarks {
  readonly region: PageRegion | undefined;
  readonly isGallery: boolean;
  readonly isHero: boolean;
}

const UNMARKED: ClassMarks = { region: undefined, isGallery: false, isHero: false };
const MAX_KNOWN_MARKS = 5_000;
const MAX_MARK_CHARS = 300;

/** Reads marks once for each spelling: pages repeat their classes thousands of times. */
class ClassMarkReader {
  private readonly known = new Map<string, ClassMarks>();

  marksOf({ attribs }: Element): ClassMarks {
    const { id = '', class: classes = '' } = attribs;
    if (id === '' && classes === '') return UNMARKED;
    const text = `${id} ${classes}`.slice(0, MAX_MARK_CHARS);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const marks = readMarks(text);
    if (this.known.size < MAX_KNOWN_MARKS) this.known.set(text, marks);
    return marks;
  }
}

function readMarks(text: string): ClassMarks {
  const region = MARKS.find(([pattern]) => pattern.test(text))?.[1];
  return { region, isGallery: GALLERY.test(text), isHero: HERO.test(text) };
}

/** The region an element opens, or undefined when it stays in the one around it. */
function regionOf({ name, attribs }: Element, marks: ClassMarks): PageRegion | undefined {
  const known = BY_TAG[name] ?? (attribs.role === undefined ? undefined : BY_ROLE[attribs.role]);
  if (known !== undefined) return known;
  const itemprop = attribs.itemprop ?? attribs.property;
  return itemprop === 'review' || itemprop === 'reviews' ? 'other' : marks.region;
}
