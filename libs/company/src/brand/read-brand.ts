import { BRAND_REASONS, type BrandReason } from '@app/contracts';
import type { BrandField, BrandReading } from '../brand-reading.js';
import {
  PageStyles,
  readMeta,
  shownLogo,
  statedLogo,
  type FetchedSheet,
  type MetaValues,
  type ReadablePage,
} from '@app/content';
import { domainOf } from '../domain.js';
import { surveyCompanyPage } from '../page/page-survey.js';
import { findProfiles } from '../socials/find-socials.js';
import { joinProfiles } from '../socials/join-profiles.js';
import { classifyIndustry } from '../industry/classify-industry.js';
import { companyText } from '../industry/company-text.js';
import { usedFonts, type UsedFonts } from './brand-fonts.js';
import { favicon, manifestIcon, touchIcon, type FetchedManifest } from './brand-icons.js';
import { brandDescription, brandName, type Sayings } from './brand-name.js';
import { PaletteCounter, type Palette } from './brand-palette.js';
import { describedThings, type DescribedThings } from './described-things.js';
import { visibleElements } from './visible-elements.js';

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
