import { manifestAddress, readBrand, type PageBrand } from '@app/company';
import {
  neededSheets,
  readablePage,
  sheetSources,
  surveyBranding,
  type ReadablePage,
} from '@app/content';
import { runSteps } from '../threads/run-steps.js';
import type { BrandPage, BrandParts, PageBranding, PageOutline } from './brand-task.js';

/** Extra element visits per character of CSS, as for a brand: the time stays linear in the page. */
const STEPS_PER_CHAR = 5;

function branding(task: BrandPage & Pick<BrandParts, 'sheets'>): PageBranding {
  const page = pageOf(task);
  const linked = { resolver: page.resolver, sheets: new Map(task.sheets) };
  return surveyBranding(page, { linked, stepsPerChar: STEPS_PER_CHAR });
}

function outline(task: BrandPage): PageOutline {
  const { parsed, resolver } = pageOf(task);
  return {
    sheets: neededSheets(sheetSources(parsed.document), resolver),
    manifest: manifestAddress(parsed.described, resolver) ?? null,
  };
}

function read({ sheets, manifest, ...page }: BrandPage & BrandParts): PageBrand {
  return readBrand(pageOf(page), { sheets: new Map(sheets), ...(manifest ? { manifest } : {}) });
}

function pageOf({ html, url }: BrandPage): ReadablePage {
  return readablePage(html, url);
}

/** The steps of a brand thread: list the resources that a page needs, then read the brand from all of them. */
const steps = { outline, read, branding };
export type BrandSteps = typeof steps;
export default runSteps(steps);
