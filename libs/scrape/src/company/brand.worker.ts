import '../threads/low-priority.js';
import { manifestAddress, readBrand } from '@app/company';
import {
  neededSheets,
  pageBase,
  parsePage,
  readJsonLdItems,
  readMetadata,
  sheetSources,
  surveyBranding,
  UrlResolver,
  type ReadablePage,
} from '@app/content';
import type {
  BrandPage,
  BrandParts,
  BrandThreadResult,
  BrandThreadTask,
  PageBranding,
  PageOutline,
} from './brand-task.js';

/** Runs in a brand thread: a page in, what it needs or what it comes to out. */
export default function run(task: BrandThreadTask): BrandThreadResult {
  const page = readable(task);
  if (task.kind === 'outline') return outlineOf(page);
  if (task.kind === 'branding') return brandingOf(page, task.sheets);
  const { sheets, manifest } = task;
  return readBrand(page, { sheets: new Map(sheets), ...(manifest ? { manifest } : {}) });
}

/** Further looks at elements for each character of CSS, as for a brand: time stays linear in the page. */
const STEPS_PER_CHAR = 5;

function brandingOf(
  { parsed, resolver, metadata }: ReadablePage,
  sheets: BrandParts['sheets'],
): PageBranding {
  const linked = { resolver, sheets: new Map(sheets) };
  return surveyBranding(parsed, resolver, metadata, { linked, stepsPerChar: STEPS_PER_CHAR });
}

function readable({ html, url }: BrandPage): ReadablePage {
  const parsed = parsePage(html);
  const resolver = new UrlResolver(pageBase(parsed.described, url));
  const jsonLd = readJsonLdItems(parsed.jsonLd);
  const { metadata } = readMetadata(parsed.described, resolver, jsonLd);
  return { parsed, resolver, url, jsonLd, metadata };
}

function outlineOf({ parsed, resolver }: ReadablePage): PageOutline {
  return {
    sheets: neededSheets(sheetSources(parsed.document), resolver),
    manifest: manifestAddress(parsed.described, resolver) ?? null,
  };
}
