import { type Element } from 'domhandler';
import { type PageRegion } from './page-line.js';

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

export const isOtherBusinessesHeading = (text: string): boolean => OTHERS_HEADING.test(text.trim());

const GALLERY =
  /gallery|carousel|slider|swiper|slideshow|photo-?(?:grid|strip|list)|lightbox|splide|slick/i;
const HERO = /hero|banner|jumbotron|masthead|cover|featured-?image|main-?image|splash/i;

/** What the id and the classes of an element say about what it holds. */
export interface ClassMarks {
  readonly region: PageRegion | undefined;
  readonly isGallery: boolean;
  readonly isHero: boolean;
}

const UNMARKED: ClassMarks = { region: undefined, isGallery: false, isHero: false };
const MAX_KNOWN_MARKS = 5_000;
const MAX_MARK_CHARS = 300;

/** Reads marks once for each spelling: pages repeat their classes thousands of times. */
export class ClassMarkReader {
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
export function regionOf({ name, attribs }: Element, marks: ClassMarks): PageRegion | undefined {
  const known = BY_TAG[name] ?? (attribs.role === undefined ? undefined : BY_ROLE[attribs.role]);
  if (known !== undefined) return known;
  const itemprop = attribs.itemprop ?? attribs.property;
  return itemprop === 'review' || itemprop === 'reviews' ? 'other' : marks.region;
}
