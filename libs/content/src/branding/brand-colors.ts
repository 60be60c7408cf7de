import { type Branding } from '@app/contracts';
import { Element } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { readMeta } from '../metadata/meta-values.js';
import { chroma, colorOfProperty, firstColor, luminance } from './css-color.js';
import { type PageStyles } from './page-styles.js';

type Colors = NonNullable<Branding['colors']>;
type ColorRole = keyof Colors;

/** What a page brings along that is coloured. */
export interface ColoredParts {
  readonly header: Element | undefined;
  readonly button: string | undefined;
}

const words = (list: string): readonly string[] => list.split(' ');

/** Custom properties by the part that they play, the plainest name first. */
const PROPERTIES: Readonly<Record<ColorRole, readonly string[]>> = {
  primary: words(
    '--primary --color-primary --primary-color --brand --brand-color --brand-primary --color-brand --color-brand-primary --theme-primary --theme-color --colors-primary --clr-primary --c-primary --main-color --primary-500 --color-primary-500 --primary-600 --color-primary-600 --e-global-color-primary --wp--preset--color--primary --md-sys-color-primary --mdc-theme-primary --ion-color-primary --color-base-accent-1 --ast-global-color-0 --bs-primary',
  ),
  secondary: words(
    '--secondary --color-secondary --secondary-color --brand-secondary --color-brand-secondary --theme-secondary --colors-secondary --clr-secondary --c-secondary --secondary-500 --color-secondary-500 --e-global-color-secondary --wp--preset--color--secondary --md-sys-color-secondary --mdc-theme-secondary --ion-color-secondary --color-base-accent-2 --bs-secondary',
  ),
  accent: words(
    '--accent --color-accent --accent-color --brand-accent --theme-accent --colors-accent --clr-accent --c-accent --accent-500 --color-accent-500 --highlight --color-highlight --e-global-color-accent --wp--preset--color--accent --md-sys-color-tertiary --ion-color-tertiary',
  ),
  background: words(
    '--background --color-background --background-color --bg --color-bg --bg-color --body-bg --body-background --page-bg --colors-background --clr-bg --c-bg --wp--preset--color--base --md-sys-color-background --ion-background-color --color-base-background-1 --bs-body-bg',
  ),
  textPrimary: words(
    '--foreground --color-foreground --text --color-text --text-color --text-primary --color-text-primary --body-color --colors-text --clr-text --c-text --e-global-color-text --wp--preset--color--contrast --md-sys-color-on-background --ion-text-color --color-base-text --bs-body-color',
  ),
  textSecondary: words(
    '--text-secondary --color-text-secondary --secondary-text --muted-foreground --color-muted-foreground --text-muted --color-text-muted --muted-text --color-muted --text-light --bs-secondary-color',
  ),
  link: words('--link --link-color --color-link --links --color-links --a-color --bs-link-color'),
};

/** Channels of a distinctive colour are at least so far apart; greys belong to no brand. */
const MIN_CHROMA = 32;

/** The colours of a page by the parts that they play: only those that it states. */
export function brandColors(page: ParsedPage, styles: PageStyles, parts: ColoredParts): Colors {
  const { body, html } = styles;
  const colorOf = (element: Element, name: string, attribute: string): string | undefined =>
    optional(firstColor)(styles.own(element, name) ?? element.attribs[attribute]);
  return {
    primary: byProperty(styles, 'primary') ?? standingOut(page, styles, parts),
    secondary: byProperty(styles, 'secondary'),
    accent: byProperty(styles, 'accent'),
    background:
      colorOf(body, 'background-color', 'bgcolor') ??
      colorOf(html, 'background-color', 'bgcolor') ??
      byProperty(styles, 'background'),
    textPrimary:
      colorOf(body, 'color', 'text') ??
      colorOf(html, 'color', 'text') ??
      byProperty(styles, 'textPrimary'),
    textSecondary: byProperty(styles, 'textSecondary') ?? mutedColor(styles),
    link:
      optional(firstColor)(styles.own(childOf(body, 'a', {}), 'color')) ??
      optional(firstColor)(body.attribs.link) ??
      byProperty(styles, 'link'),
  };
}

function byProperty(styles: PageStyles, role: ColorRole): string | undefined {
  for (const name of PROPERTIES[role]) {
    const color = optional(colorOfProperty)(styles.property(name));
    if (color !== undefined) return color;
  }
  return undefined;
}

/** What is coloured where a brand shows: the browser's frame, the main button, the head. */
function standingOut(
  { described }: ParsedPage,
  styles: PageStyles,
  { header, button }: ColoredParts,
): string | undefined {
  const meta = readMeta(described.filter(({ attribs }) => !isForDark(attribs)));
  const candidates = [
    optional(firstColor)(meta.first('theme-color')),
    button,
    header === undefined ? undefined : optional(firstColor)(styles.own(header, 'background-color')),
    optional(firstColor)(maskColor(described)),
    optional(firstColor)(meta.first('msapplication-tilecolor', 'msapplication-navbutton-color')),
  ];
  return candidates.find((color) => color !== undefined && chroma(color) >= MIN_CHROMA);
}

const isForDark = ({ media }: Readonly<Record<string, string>>): boolean =>
  /prefers-color-scheme\s*:\s*dark/i.test(media ?? '');

function maskColor(described: readonly Element[]): string | undefined {
  return described.find(({ attribs }) => /\bmask-icon\b/i.test(attribs.rel ?? ''))?.attribs.color;
}

const MUTED_CLASSES = ['text-muted', 'muted', 'text-secondary', 'subtitle'];

function mutedColor(styles: PageStyles): string | undefined {
  for (const name of MUTED_CLASSES) {
    const own = styles.own(childOf(styles.body, 'p', { class: name }), 'color');
    const color = optional(firstColor)(own);
    if (color !== undefined) return color;
  }
  return undefined;
}

/** An element that the page need not have, to compute its style. */
export function childOf(
  parent: Element,
  name: string,
  attribs: Readonly<Record<string, string>>,
): Element {
  const child = new Element(name, { ...attribs });
  child.parent = parent;
  return child;
}

function optional<T>(read: (value: string) => T): (value: string | undefined) => T | undefined {
  return (value) => (value === undefined ? undefined : read(value));
}

/** Light or dark: by what the page says of itself, else by its background or text. */
export function colorSchemeOf(
  { described }: ParsedPage,
  styles: PageStyles,
  { background, textPrimary }: Colors,
): Branding['colorScheme'] {
  const marked = markedScheme(styles.html) ?? markedScheme(styles.body);
  if (marked !== undefined) return marked;
  if (background !== undefined) return luminance(background) < 0.2 ? 'dark' : 'light';
  if (textPrimary !== undefined) return luminance(textPrimary) > 0.6 ? 'dark' : 'light';
  const stated =
    styles.own(styles.html, 'color-scheme') ?? readMeta(described).first('color-scheme');
  // Of "light dark" the first is shown to readers without a preference.
  const [first] = /\b(?:light|dark)\b/i.exec(stated ?? '') ?? [];
  return first === undefined ? undefined : first.toLowerCase() === 'dark' ? 'dark' : 'light';
}

const SCHEME_ATTRIBUTES = ['data-theme', 'data-bs-theme', 'data-color-mode', 'data-mode'];

function markedScheme({ attribs }: Element): Branding['colorScheme'] {
  const said = SCHEME_ATTRIBUTES.map((name) => attribs[name]?.toLowerCase());
  const classes = (attribs.class ?? '').toLowerCase().split(/\s+/);
  if (said.includes('dark') || classes.some((name) => DARK_CLASS.test(name))) return 'dark';
  return said.includes('light') || classes.includes('light') ? 'light' : undefined;
}

const DARK_CLASS = /^(?:dark|dark-mode|dark-theme|theme-dark)$/;
