import type { Element } from 'domhandler';
import type { BrandColor } from '../brand-reading.js';
import { buttonWeight, chroma, firstColor, type PageStyles } from '@app/content';
import type { Place, SeenElement } from './visible-elements.js';

/** Colors of a page, and where the first of them is set. */
export interface Palette {
  readonly colors: readonly BrandColor[];
  /** Address of the sheet; null: the page itself. */
  readonly origin: string | null;
  /** More buttons and links have a style attribute than are read (`button_scan_cap`). */
  readonly isButtonCut: boolean;
}

/** What a color is on. How often counts by its square root: fifty links are no ten times five. */
const WEIGHTS = {
  /** The colour that the page requests for the browser's frame. */
  themeColor: 25,
  /** `mask-icon` and tile colors. */
  iconColor: 8,
  mainButton: 20,
  button: 10,
  minorButton: 3,
  /** A large area by name or landmark. */
  header: 20,
  hero: 20,
  link: 4,
  logo: 12,
  heading: 3,
  area: 2,
  border: 1,
  text: 1,
  footer: 1,
} as const;
type Role = keyof typeof WEIGHTS;

/** Channels nearer to each other than this are a grey: everybody's, so they count a tenth. */
const MIN_CHROMA = 32;
const GREY_SHARE = 0.1;
/** Greys listed: text, ground and one more show the scheme; a page has dozens. */
const MAX_GREYS = 3;
const MAX_COLORS = 12;
/**
 * Buttons and links whose style attributes are read (specification: brand_meta, button_scan_cap).
 */
const MAX_INLINE_STYLED = 500;

/** Counts what elements are coloured with, by role. */
export class PaletteCounter {
  isButtonCut = false;
  private inlineStyled = 0;
  private readonly counts = new Map<string, Map<Role, number>>();
  private readonly origins = new Map<string, { weight: number; origin: string | null }>();

  constructor(private readonly styles: PageStyles) {}

  /** A color that the page states outside its style. */
  addStated(value: string | undefined, role: Role): void {
    this.add(value, role, null);
  }

  addElement(seen: SeenElement): void {
    const { element } = seen;
    if (this.isPastButtonCap(seen)) return;
    const { name } = element;
    if (name === 'svg' || SVG_SHAPES.has(name)) return this.addPicture(seen);
    this.addGround(seen);
    if (seen.textChars > 0 || seen.button === 'is' || isWhole(element))
      this.addOwn(element, 'color', textRole(seen));
    if (seen.button === 'is') this.addOwn(element, 'border-color', buttonRole(element));
  }

  palette(): Palette {
    const ranked = [...this.counts]
      .map(([hex, roles]) => ({ hex, frequency: frequencyOf(hex, roles) }))
      .sort((a, b) => b.frequency - a.frequency || (a.hex < b.hex ? -1 : 1));
    const colors = withFewGreys(ranked).slice(0, MAX_COLORS).map(present);
    const origin = this.origins.get(colors[0]?.hex ?? '')?.origin ?? null;
    return { colors, origin, isButtonCut: this.isButtonCut };
  }

  private isPastButtonCap({ element, button }: SeenElement): boolean {
    const isOne = button === 'is' || (element.name === 'a' && element.attribs.href !== undefined);
    if (!isOne || element.attribs.style === undefined) return false;
    this.inlineStyled++;
    if (this.inlineStyled > MAX_INLINE_STYLED) this.isButtonCut = true;
    return this.isButtonCut;
  }

  private addGround(seen: SeenElement): void {
    const { element } = seen;
    const role = groundRole(seen);
    const ground = this.addOwn(element, 'background-color', role);
    if (ground === undefined) this.addOwn(element, 'background-image', role);
  }

  /** Shapes in the head of a page are nearly always those of its logo. */
  private addPicture({ element, place }: SeenElement): void {
    const role = place === 'header' ? 'logo' : 'border';
    const own = this.addOwn(element, 'fill', role);
    if (own === undefined) this.add(element.attribs.fill, role, null);
    this.add(element.attribs['stop-color'], role, null);
  }

  private addOwn(element: Element, property: string, role: Role): string | undefined {
    const value = this.styles.own(element, property) ?? element.attribs[ATTRIBUTES[property] ?? ''];
    return this.add(value, role, this.styles.originOf(element, property));
  }

  private add(value: string | undefined, role: Role, origin: string | null): string | undefined {
    const hex = value === undefined ? undefined : firstColor(value);
    if (hex === undefined) return undefined;
    const roles = this.counts.get(hex) ?? new Map<Role, number>();
    roles.set(role, (roles.get(role) ?? 0) + 1);
    this.counts.set(hex, roles);
    const best = this.origins.get(hex);
    if (best === undefined || best.weight < WEIGHTS[role])
      this.origins.set(hex, { weight: WEIGHTS[role], origin });
    return hex;
  }
}

const SVG_SHAPES = new Set('path g circle rect ellipse polygon stop use text'.split(' '));
/** Attributes of HTML's own that say the same. */
const ATTRIBUTES: Readonly<Record<string, string>> = { 'background-color': 'bgcolor' };

const AREA_ROLES: Readonly<Record<Place, Role>> = {
  header: 'header',
  hero: 'hero',
  main: 'area',
  footer: 'footer',
};

function groundRole({ element, place, button }: SeenElement): Role {
  if (button === 'is') return buttonRole(element);
  return isWhole(element) ? 'area' : AREA_ROLES[place];
}

const isWhole = ({ name }: Element): boolean => name === 'html' || name === 'body';

/** Weights of a button from which on it is one that the page wants pressed. */
const MAIN_BUTTON = 6;

function buttonRole(element: Element): Role {
  const weight = buttonWeight(element);
  if (weight <= 0) return 'minorButton';
  return weight >= MAIN_BUTTON ? 'mainButton' : 'button';
}

const HEADING = /^h[1-6]$/;

function textRole({ element, button, place }: SeenElement): Role {
  if (button !== null) return 'text';
  const { name, attribs } = element;
  if (name === 'a' && attribs.href !== undefined) return place === 'footer' ? 'text' : 'link';
  return HEADING.test(name) ? 'heading' : 'text';
}

function frequencyOf(hex: string, roles: ReadonlyMap<Role, number>): number {
  let sum = 0;
  for (const [role, count] of roles) sum += WEIGHTS[role] * Math.sqrt(count);
  const share = isGrey(hex) ? GREY_SHARE : 1;
  return Math.max(0.1, Math.round(sum * share * 10) / 10);
}

const isGrey = (hex: string): boolean => chroma(hex) < MIN_CHROMA;

interface Ranked {
  readonly hex: string;
  readonly frequency: number;
}

function withFewGreys(ranked: readonly Ranked[]): readonly Ranked[] {
  let greys = 0;
  return ranked.filter(({ hex }) => !isGrey(hex) || ++greys <= MAX_GREYS);
}

function present({ hex, frequency }: Ranked): BrandColor {
  const number = Number.parseInt(hex.slice(1), 16);
  return { hex, rgb: [number >> 16, (number >> 8) & 255, number & 255], frequency };
}
