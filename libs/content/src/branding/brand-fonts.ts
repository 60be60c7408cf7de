import { type Branding } from '@app/contracts';
import { type Element } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { childOf } from './brand-colors.js';
import { familiesOf, lengthPx, pixels, USUAL_FONT_PX } from './css-values.js';
import { type PageStyles } from './page-styles.js';

export interface BrandFonts {
  readonly fonts: NonNullable<Branding['fonts']>;
  readonly typography: NonNullable<Branding['typography']>;
}

const MAX_FONTS = 10;

/** Families that a page names, those it is written in first, and the sizes of its text. */
export function brandFonts(page: ParsedPage, styles: PageStyles): BrandFonts {
  const headings = ['h1', 'h2'].map((name) => headingOf(page, styles, name));
  const primary = firstFamily(styles, [styles.body, styles.html]);
  const heading = firstFamily(styles, headings);
  const linked = linkedFamilies(page, styles).filter(isOwnFont);
  const used = [primary, heading].filter((name) => name !== undefined && isOwnFont(name));
  const names = new Map(
    [...used, ...linked].map((name) => [name?.toLowerCase() ?? '', name ?? '']),
  );
  return {
    fonts: [...names.values()].slice(0, MAX_FONTS).map((family) => ({ family })),
    typography: { fontFamilies: { primary, heading }, fontSizes: fontSizes(styles, headings) },
  };
}

/** The page's first heading of a level, else what one would look like. */
function headingOf({ described }: ParsedPage, styles: PageStyles, name: string): Element {
  const own = described.find((element) => element.name === name);
  return own ?? childOf(styles.body, name, {});
}

function firstFamily(styles: PageStyles, elements: readonly Element[]): string | undefined {
  for (const element of elements) {
    const [first] = familiesOf(styles.own(element, 'font-family') ?? '').map(plainName);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** Frameworks that host fonts themselves give them names such as `__Inter_a1b2c3`. */
export function plainName(family: string): string {
  const hosted = /^__(.+?)(?:_Fallback)?_[\da-f]{6}$/.exec(family)?.[1];
  return hosted === undefined ? family : hosted.replaceAll('_', ' ');
}

const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|math|emoji|system-ui|ui-[\w-]+|-apple-system|blinkmacsystemfont|inherit|initial|unset|revert)$/i;
const NOT_TEXT =
  /emoji|symbol|icon|awesome|glyph|dashicons|icomoon|fontello|swiper|slick|eicons|\bfallback\b|^wingdings|^fa-/i;

/** A font the site chose: neither the machine's own nor one of icons. */
export const isOwnFont = (family: string): boolean =>
  !GENERIC.test(family) && !NOT_TEXT.test(family);

/** Families that the page loads, by its links to the well-known hosts and its own `@font-face`. */
function linkedFamilies({ described }: ParsedPage, styles: PageStyles): readonly string[] {
  const links = described.filter(({ name }) => name === 'link').map(({ attribs }) => attribs.href);
  const hosted = [...links, ...styles.imports].flatMap((href) => hostedFamilies(href ?? ''));
  const own = styles.fontFaces.flatMap((value) => familiesOf(value).map(plainName));
  return [...hosted, ...own];
}

const FONT_HOST = /^(?:https?:)?\/\/(?:fonts\.googleapis\.com|fonts\.bunny\.net)\/css2?\?/i;

function hostedFamilies(href: string): readonly string[] {
  if (!FONT_HOST.test(href)) return [];
  const query = new URLSearchParams(href.slice(href.indexOf('?')));
  return query
    .getAll('family')
    .flatMap((list) => list.split('|', MAX_FONTS))
    .map((one) => one.split(':', 1)[0]?.trim() ?? '')
    .flatMap((name) => familiesOf(name));
}

function fontSizes(
  styles: PageStyles,
  [h1, h2]: readonly Element[],
): NonNullable<BrandFonts['typography']['fontSizes']> {
  const { html, body } = styles;
  const rootPx = lengthPx(styles.own(html, 'font-size') ?? '') ?? USUAL_FONT_PX;
  const bodyPx = lengthPx(styles.own(body, 'font-size') ?? '', rootPx, rootPx);
  const isRootSet = styles.own(html, 'font-size') !== undefined;
  const sizeOf = (element: Element | undefined): string | undefined => {
    const size = element === undefined ? undefined : styles.own(element, 'font-size');
    const px = size === undefined ? undefined : lengthPx(size, bodyPx ?? rootPx, rootPx);
    return px === undefined ? undefined : pixels(px);
  };
  const own = bodyPx ?? (isRootSet ? rootPx : undefined);
  return { h1: sizeOf(h1), h2: sizeOf(h2), body: own === undefined ? undefined : pixels(own) };
}
