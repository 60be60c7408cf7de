import { type Branding } from '@app/contracts';
import { type Element } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { walk } from '../dom/walk.js';
import { type ReadablePage } from '../readable-page.js';
import { primaryButton, radiusOf } from './brand-button.js';
import { brandColors, colorSchemeOf } from './brand-colors.js';
import { brandFonts } from './brand-fonts.js';
import { findLogo } from './brand-logo.js';
import { type BrandingCut, lengthPx } from './css-values.js';
import { PageStyles, type PageStylesOptions } from './page-styles.js';

/** Branding, and what of the page's styles was not read for it. */
export interface BrandingSurvey {
  readonly branding: Branding;
  /** In the words of the specification's `brand_meta.reasons`. */
  readonly cuts: readonly BrandingCut[];
}

/**
 * How a page presents itself, as far as the page alone says it: its style elements and attributes,
 * meta elements, JSON-LD, pictures and links. Linked style sheets count where they are given to
 * {@link surveyBranding}. Never throws.
 */
export function readBranding(page: ReadablePage): Branding {
  return surveyBranding(page).branding;
}

/** {@link readBranding} with what was cut. */
export function surveyBranding(
  { parsed: page, resolver, jsonLd, metadata }: ReadablePage,
  options?: PageStylesOptions,
): BrandingSurvey {
  const styles = new PageStyles(page, options);
  const button = primaryButton(page, styles);
  const header = findHeader(page);
  const colors = brandColors(page, styles, { header, button: button?.background });
  const { fonts, typography } = brandFonts(page, styles);
  const { openGraph = {}, favicon } = metadata;
  const ogImage = openGraph['og:image'] ?? openGraph['og:image:url'];
  const logo = findLogo(page, resolver, jsonLd.items, openGraph['og:logo']);
  const branding: Branding = {
    colorScheme: colorSchemeOf(page, styles, colors),
    logo,
    colors,
    fonts,
    typography,
    spacing: spacingOf(styles, button?.borderRadius),
    components: { buttonPrimary: button },
    images: { logo, favicon, ogImage: ogImage && resolver.resolveWeb(ogImage) },
  };
  return { branding: withoutGaps(branding) as Branding, cuts: [...styles.cuts] };
}

/** The first header, else what is named like one near the top. */
function findHeader({ document }: ParsedPage): Element | undefined {
  let header: Element | undefined;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name === 'header') header = element;
      return true;
    },
    isDone: () => header !== undefined,
  });
  return header;
}

const UNITS = [
  '--spacing',
  '--spacing-unit',
  '--space',
  '--space-unit',
  '--base-unit',
  '--unit',
  '--spacer',
  '--grid-unit',
];
const RADII = [
  '--radius',
  '--border-radius',
  '--radius-md',
  '--rounded',
  '--card-radius',
  '--button-radius',
  '--bs-border-radius',
];

function spacingOf(
  styles: PageStyles,
  buttonRadius: string | undefined,
): NonNullable<Branding['spacing']> {
  const unit = UNITS.map((name) => lengthPx(styles.property(name) ?? '')).find(
    (px) => px !== undefined && px > 0,
  );
  const radius = RADII.map((name) => radiusOf(styles.property(name))).find(
    (value) => value !== undefined,
  );
  return {
    baseUnit: unit === undefined ? undefined : Math.round(unit * 100) / 100,
    borderRadius: radius ?? buttonRadius,
  };
}

/** What is not said is left out, and what holds nothing then; three levels deep at most. */
function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const own = withoutGaps(one);
    const isEmpty =
      own === undefined ||
      (typeof own === 'object' && own !== null && Object.keys(own).length === 0);
    return isEmpty ? [] : [[name, own] as const];
  });
  return Object.fromEntries(kept);
}
