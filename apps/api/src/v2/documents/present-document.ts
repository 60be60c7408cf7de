import type { ActionResult, PageDocument } from '@app/contracts';
import type { V2Format } from '../options/formats.js';
import type { Warnings } from '../options/warnings.js';
import { v2Metadata } from './v2-metadata.js';

export interface DocumentTerms {
  readonly names: ReadonlySet<V2Format>;
  readonly sourceUrl: string;
  /** URL or data URI. */
  readonly screenshot: string | undefined;
  readonly credits: number;
  readonly scrapeId: string;
  /** Gets what is incomplete. */
  readonly warnings: Warnings;
}

/** A scraped page as `data` of a scrape: the requested outputs only. */
export function presentV2Page(page: PageDocument, terms: DocumentTerms): Record<string, unknown> {
  const { names, sourceUrl, credits, scrapeId, warnings } = terms;
  const { url, statusCode, contentType, fetchMethod, cacheAgeMs, metadata, file } = page;
  noteGaps(page, terms);
  const outputs = outputsOf(page, terms);
  const origin = { sourceURL: sourceUrl, url, statusCode, contentType, fetchMethod, cacheAgeMs };
  const { text } = warnings;
  return {
    ...Object.fromEntries([...names].flatMap((name) => present(name, outputs[name]))),
    ...(page.actionResults ? shotsOf(page.actionResults) : {}),
    ...(text === null ? {} : { warning: text }),
    metadata: v2Metadata(
      file?.title === undefined ? metadata : { title: file.title, ...metadata },
      {
        ...origin,
        ...{ creditsUsed: credits, scrapeId, pages: file?.pages },
      },
    ),
  };
}

function outputsOf(
  { file, markdown, html, rawHtml, links, branding, llm }: PageDocument,
  { screenshot }: DocumentTerms,
): Readonly<Record<V2Format, unknown>> {
  const { brand_meta: _meta, ...style } = branding ?? {};
  return {
    markdown: file?.markdown ?? markdown,
    html,
    rawHtml,
    links: file ? (file.links ?? []) : links,
    branding: branding && style,
    screenshot,
    json: llm?.json,
    summary: llm?.summary,
  };
}

function present(name: V2Format, value: unknown): [string, unknown][] {
  return value === undefined ? [] : [[name, value]];
}

/** A requested output that is missing or incomplete is never silent. */
function noteGaps(page: PageDocument, { names, warnings }: DocumentTerms): void {
  const { partialReason, file, llm, branding } = page;
  const reason = partialReason ?? file?.truncatedBy ?? llm?.problem ?? llm?.cut;
  if (reason !== undefined) warnings.note(`The content is incomplete: ${reason}.`);
  if (branding?.brand_meta?.partial === true)
    warnings.note(`The branding is incomplete: ${branding.brand_meta.reasons.join(', ')}.`);
  if (!file) return;
  const missing = [...names].filter((name) => OF_PAGES.has(name));
  if (missing.length > 0)
    warnings.note(`The URL leads to a document file, which has no ${missing.join(', ')}.`);
}

/** Outputs that a document file does not have. */
const OF_PAGES: ReadonlySet<V2Format> = new Set(['html', 'rawHtml', 'branding', 'screenshot']);

/** In the order of the actions. */
function shotsOf(results: readonly ActionResult[]): { readonly actions?: object } {
  const screenshots = results
    .filter(({ type }) => type === 'screenshot')
    .map(({ contentType, base64 }) => `data:${contentType};base64,${base64}`);
  return screenshots.length === 0 ? {} : { actions: { screenshots } };
}
