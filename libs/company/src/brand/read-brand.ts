import { BRAND_REASONS, type BrandReason, type PageMetadata } from '@app/contracts';
import {
  PageStyles,
  readMeta,
  shownLogo,
  statedLogo,
  isItem,
  textOfValue,
  typesOf,
  type FetchedSheet,
  type MetaValues,
  type ReadablePage,
  type JsonLd,
  type JsonLdItem,
} from '@app/content';
import type { BrandField, BrandReading } from '../brand-reading.js';
import { domainOf, ownLabel } from '../domain.js';
import { surveyCompanyPage } from '../page/page-survey.js';
import { findProfiles } from '../socials/find-socials.js';
import { joinProfiles } from '../socials/join-profiles.js';
import { classifyIndustry, companyText } from '../industry/classify-industry.js';
import { usedFonts, type UsedFonts } from './brand-fonts.js';
import { favicon, manifestIcon, touchIcon, type FetchedManifest } from './brand-icons.js';
import { PaletteCounter, type Palette } from './brand-palette.js';
import { visibleElements } from './visible-elements.js';
import { TYPE_INDUSTRIES } from '../industry/type-industries.js';

/** What was fetched for a page's brand beside the page. */
export interface BrandResources {
  /** By the requested address. */
  readonly sheets: ReadonlyMap<string, FetchedSheet>;
  readonly manifest?: FetchedManifest;
}

/** A brand as one reading of its page makes it: all but when the site was read. */
export type PageBrand = Omit<BrandReading, 'freshness'>;

/**
 * Elements that selectors may examine, on top of some for each character of CSS: a thousand
 * elements under a large framework need a tenth of it. What it stops is `css_cap`.
 */
const MATCH_STEPS = { maxSteps: 1_000_000, stepsPerChar: 5 } as const;

/** Confidence of a brand of which nothing but the page is known, and what each signal adds. */
const BASE_CONFIDENCE = 0.4;
const SIGNAL_CONFIDENCE = 0.12;
const SIGNALS = ['logo', 'colors', 'fonts', 'socials', 'industry'] as const;

/**
 * A company as its homepage presents it: colors by use and role, fonts in use, logo and favicon by
 * ranked evidence, name, description, profiles and industry. Never throws; its time is about linear
 * in the page and its sheets.
 */
export function readBrand(page: ReadablePage, resources: BrandResources): PageBrand {
  const { parsed, resolver, url } = page;
  const linked = { resolver, sheets: resources.sheets };
  const styles = new PageStyles(parsed, { linked, ...MATCH_STEPS });
  const things = describedThings(page.jsonLd);
  const meta = readMeta(parsed.described);
  const looks = readLooks(page, styles, meta);
  const { items } = things;
  const sayings = { items, metadata: page.metadata, meta, domain: domainOf(url) };
  const found: Found = {
    ...identity(page, sayings, resources),
    colors: looks.palette.colors.length === 0 ? null : from(looks.palette, looks.palette.colors),
    fonts: looks.used.fonts.length === 0 ? null : from(looks.used, looks.used.fonts),
  };
  return {
    domain: sayings.domain,
    ...present(found, url),
    reasons: reasonsOf(styles, looks.palette, things),
  };
}

/** A field's value and the address it comes from; null: the page's own. */
interface Resolved<T> {
  readonly value: T;
  readonly origin: string | null;
}
type Found = {
  readonly [Field in BrandField]: Resolved<NonNullable<PageBrand[Field]>> | null;
};

const from = <T>({ origin }: { readonly origin: string | null }, value: T): Resolved<T> => ({
  value,
  origin,
});

const onPage = <T>(value: T | undefined): Resolved<T> | null =>
  value === undefined ? null : { value, origin: null };

interface Looks {
  readonly palette: Palette;
  readonly used: UsedFonts;
}

function readLooks({ parsed }: ReadablePage, styles: PageStyles, meta: MetaValues): Looks {
  const seen = visibleElements(parsed, styles);
  const counter = new PaletteCounter(styles);
  counter.addStated(meta.first('theme-color'), 'themeColor');
  counter.addStated(meta.first('msapplication-tilecolor'), 'iconColor');
  const mask = parsed.described.find(({ attribs }) => /\bmask-icon\b/i.test(attribs.rel ?? ''));
  counter.addStated(mask?.attribs.color, 'iconColor');
  for (const one of seen) counter.addElement(one);
  return { palette: counter.palette(), used: usedFonts(seen, styles) };
}

function identity(
  page: ReadablePage,
  sayings: Sayings,
  { manifest }: BrandResources,
): Omit<Found, 'colors' | 'fonts'> {
  const { parsed, resolver } = page;
  const { items } = sayings;
  const icon = manifest === undefined ? undefined : manifestIcon(manifest);
  const fromManifest = icon === undefined ? null : { value: icon, origin: manifest?.url ?? null };
  const linked = favicon(parsed.described, resolver);
  const socials = joinProfiles([findProfiles(surveyCompanyPage(page))]);
  return {
    name: onPage(brandName(sayings)),
    description: onPage(brandDescription(sayings)),
    logo:
      onPage(pageLogo(page, sayings)) ??
      fromManifest ??
      onPage(touchIcon(parsed.described, resolver) ?? linked),
    favicon: onPage(linked) ?? fromManifest,
    socials: Object.keys(socials).length === 0 ? null : onPage(socials),
    industry: onPage(classifyIndustry(companyText(page, items))),
  };
}

/**
 * By how sure it is: what JSON-LD names, what the page shows in its head, what it declares for
 * other sites.
 */
function pageLogo(page: ReadablePage, { items, metadata }: Sayings): string | undefined {
  const { parsed, resolver } = page;
  const openGraph = metadata.openGraph?.['og:logo'];
  return (
    statedLogo(items, resolver) ??
    shownLogo(parsed, resolver) ??
    (openGraph === undefined ? undefined : resolver.resolveWeb(openGraph))
  );
}

function present(found: Found, pageUrl: string): Omit<PageBrand, 'domain' | 'reasons'> {
  const { name, description, logo, favicon: icon, colors, fonts, socials, industry } = found;
  return {
    ...(name ? { name: name.value } : {}),
    ...(description ? { description: description.value } : {}),
    ...(logo ? { logo: logo.value } : {}),
    ...(icon ? { favicon: icon.value } : {}),
    colors: colors?.value ?? [],
    fonts: fonts?.value ?? [],
    socials: socials?.value ?? {},
    ...(industry ? { industry: industry.value } : {}),
    confidence: confidenceOf(found),
    provenance: provenanceOf(found, pageUrl),
  };
}

/** In hundredths: sums of tenths are none. */
function confidenceOf(found: Found): number {
  const signals = SIGNALS.filter((signal) => found[signal] !== null).length;
  return Math.round((BASE_CONFIDENCE + signals * SIGNAL_CONFIDENCE) * 100) / 100;
}

function provenanceOf(found: Found, pageUrl: string): PageBrand['provenance'] {
  const resolved = Object.entries(found).flatMap(([field, one]) =>
    one === null ? [] : [[field, one.origin ?? pageUrl] as const],
  );
  return Object.fromEntries(resolved);
}

function reasonsOf(
  styles: PageStyles,
  { isButtonCut }: Palette,
  { isCut }: DescribedThings,
): readonly BrandReason[] {
  const reasons = new Set<BrandReason>(styles.cuts);
  if (isButtonCut) reasons.add('button_scan_cap');
  if (isCut) reasons.add('jsonld_node_cap');
  return BRAND_REASONS.filter((reason) => reasons.has(reason));
}

interface DescribedThings {
  /** Things described, outer ones before those in them. */
  readonly items: readonly JsonLdItem[];
  /** A block had more than {@link MAX_BLOCK_NODES} nodes; the others were not read. */
  readonly isCut: boolean;
}

/** Objects of one block that are read (specification: brand_meta, jsonld_node_cap). */
const MAX_BLOCK_NODES = 500;
const MAX_BLOCKS = 50;

/** What the JSON-LD blocks of a page describe, nested things among it. */
function describedThings({ blocks }: JsonLd): DescribedThings {
  const read = blocks.slice(0, MAX_BLOCKS).map(nodesOf);
  return {
    items: read.flatMap(({ items }) => items),
    isCut: read.some(({ isCut }) => isCut),
  };
}

/** Breadth first: the subject of a block is outside of its references. */
function nodesOf(block: unknown): DescribedThings {
  const items: JsonLdItem[] = [];
  let level: readonly unknown[] = [block];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const value of level) {
      if (isItem(value) && !isWrapper(value)) {
        if (items.length === MAX_BLOCK_NODES) return { items, isCut: true };
        items.push(value);
      }
      for (const inner of innerOf(value)) next.push(inner);
    }
    level = next;
  }
  return { items, isCut: false };
}

/** `{"@context": …, "@graph": […]}` describes nothing itself. */
const isWrapper = (item: JsonLdItem): boolean =>
  Array.isArray(item['@graph']) && item['@type'] === undefined;

function innerOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.filter((inner) => typeof inner === 'object' && inner !== null);
}

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 1_000;
const SEPARATORS = /(?<!\s)\s+[|–—·•»:-]\s+|(?:(?<!\s)\s+)?[|»]\s*|:\s+/;
/** A title's part that is this short may be a name; longer ones are sentences. */
const MAX_TITLE_NAME_CHARS = 40;
const NOT_A_NAME = /^(?:home|homepage|welcome|start|startseite|accueil|inicio|index|untitled)$/i;

/** JSON-LD types of owners of a page, and of others that the page may describe. */
const OWNER = /(?:Organization|Corporation|Business|Company|Store|Restaurant|Hotel|Agency)$/;
const SITE = /^WebSite$/;

/** What a page says of itself, outside of its text. */
interface Sayings {
  readonly items: readonly JsonLdItem[];
  readonly metadata: PageMetadata;
  readonly meta: MetaValues;
  readonly domain: string;
}

/** Items of JSON-LD that describe the page's owner. */
function ownersOf(items: readonly JsonLdItem[]): readonly JsonLdItem[] {
  return items.filter((item) =>
    typesOf(item).some((type) => OWNER.test(type) || Object.hasOwn(TYPE_INDUSTRIES, type)),
  );
}

/**
 * The name of a page's owner: by JSON-LD, by its meta elements for the site's name, else the part of
 * the title that the domain is made of or that is alone.
 */
function brandName({ items, metadata, meta, domain }: Sayings): string | undefined {
  const site = items.filter((item) => typesOf(item).some((type) => SITE.test(type)));
  const stated = [
    ...[...ownersOf(items), ...site].map((item) => textOfValue(item.name)),
    metadata.openGraph?.['og:site_name'],
    meta.first('application-name'),
    meta.first('apple-mobile-web-app-title'),
  ];
  return stated.map(usable).find((name) => name !== undefined) ?? titleName(metadata.title, domain);
}

function usable(text: string | undefined): string | undefined {
  const name = text?.replace(/\s+/g, ' ').trim();
  return name === undefined || name === '' || name.length > MAX_NAME_CHARS ? undefined : name;
}

function titleName(title: string | undefined, domain: string): string | undefined {
  const parts = (title ?? '').split(SEPARATORS).map((part) => part.trim());
  const label = squeezed(ownLabel(domain));
  const named = parts.find((part) => part !== '' && squeezed(part) === label);
  if (named !== undefined) return named;
  const likely = parts.filter(
    (part) => part !== '' && part.length <= MAX_TITLE_NAME_CHARS && !NOT_A_NAME.test(part),
  );
  const kin = likely.find((part) => isKin(squeezed(part), label));
  // Of a title with one part only the length distinguishes a name from a headline.
  return kin ?? (parts.length === 1 || likely.length === 1 ? likely[0] : undefined);
}

const isKin = (part: string, label: string): boolean =>
  part.length > 2 && label.length > 2 && (label.startsWith(part) || part.startsWith(label));

const squeezed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How a page describes its owner. */
function brandDescription({ items, metadata }: Sayings): string | undefined {
  const stated = ownersOf(items).map((item) => textOfValue(item.description));
  const text = [metadata.description, ...stated].find((one) => (one ?? '').trim() !== '');
  return text?.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION_CHARS);
}
