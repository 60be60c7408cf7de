import { manifestAddress, readBrand } from '@app/company';
import {
  neededSheets,
  pageBase,
  parsePage,
  readJsonLdItems,
  readMetadata,
  sheetSources,
  UrlResolver,
  type ReadablePage,
} from '@app/content';
import type { BrandPage, BrandThreadResult, BrandThreadTask, PageOutline } from './brand-task.js';

/** Runs in a brand thread: a page in, what it needs or what it comes to out. */
export default function run(task: BrandThreadTask): BrandThreadResult {
  const page = readable(task);
  if (task.kind === 'outline') return outlineOf(page);
  const { sheets, manifest } = task;
  return readBrand(page, { sheets: new Map(sheets), ...(manifest ? { manifest } : {}) });
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
