import '../threads/low-priority.js';
import { manifestAddress, readBrand } from '@app/company';
import {
  neededSheets,
  readablePage,
  sheetSources,
  surveyBranding,
  type ReadablePage,
} from '@app/content';
import type {
  BrandParts,
  BrandThreadResult,
  BrandThreadTask,
  PageBranding,
  PageOutline,
} from './brand-task.js';

/** Runs in a brand thread: takes a page, returns the resources it needs or its brand. */
export default function runBrandTask(task: BrandThreadTask): BrandThreadResult {
  const page = readablePage(task.html, task.url);
  if (task.kind === 'outline') return outlineOf(page);
  if (task.kind === 'branding') return brandingOf(page, task.sheets);
  const { sheets, manifest } = task;
  return readBrand(page, { sheets: new Map(sheets), ...(manifest ? { manifest } : {}) });
}

/** Extra element visits per character of CSS, as for a brand: the time stays linear in the page. */
const STEPS_PER_CHAR = 5;

function brandingOf(page: ReadablePage, sheets: BrandParts['sheets']): PageBranding {
  const linked = { resolver: page.resolver, sheets: new Map(sheets) };
  return surveyBranding(page, { linked, stepsPerChar: STEPS_PER_CHAR });
}

function outlineOf({ parsed, resolver }: ReadablePage): PageOutline {
  return {
    sheets: neededSheets(sheetSources(parsed.document), resolver),
    manifest: manifestAddress(parsed.described, resolver) ?? null,
  };
}
