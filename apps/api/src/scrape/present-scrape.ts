import type { ActionResult, Format, PageDocument, ParsedFile } from '@app/contracts';
import { toResultDocument, toResultFile, toResultListing } from '@app/jobs';
import { formatNames } from './format-entries.js';
import { presentUse } from '../models/model-request.js';
import type { ScrapeRequest } from './scrape.dto.js';
import type { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';

/**
 * The scrape result of the specification, with the requested outputs only.
 * @param screenshot URL or data URI, if one was made
 */
export function presentScrape(
  page: PageDocument,
  request: ScrapeRequest,
  screenshot: string | undefined,
): ScrapeResult | ScrapedFile {
  return page.file ? presentFile(page, page.file, request) : presentPage(page, request, screenshot);
}

function presentPage(
  page: PageDocument,
  request: ScrapeRequest,
  screenshot: string | undefined,
): ScrapeResult {
  const formats = formatNames(request.formats);
  const { url, statusCode, metadata, cascade, unblock } = toResultDocument(page, {});
  const { markdown, rawHtml, listing, llm } = page;
  const wantsMarkdown = formats === undefined || formats.includes('markdown');
  return {
    url,
    ok: true,
    statusCode,
    ...(wantsMarkdown && markdown !== undefined ? { markdown } : {}),
    ...(request.includeHtml && rawHtml !== undefined ? { html: rawHtml } : {}),
    ...((request.extractListing ?? true)
      ? { listing: toResultListing(listing, request.listingProvenance ?? false) }
      : {}),
    ...pick(formats, { ...page, screenshot, ...modelOutputs(page) }, page),
    ...(page.markdownCut ? { markdownCut: page.markdownCut } : {}),
    ...completeness(page),
    ...(page.actionResults ? { actions: presentActions(page.actionResults) } : {}),
    metadata: {
      ...metadata,
      ...(listing
        ? { extractionMethod: listing._extraction_method, confidence: listing._confidence }
        : {}),
      ...(llm ? { llm: presentUse(llm.usage) } : {}),
    } as ScrapeResult['metadata'],
    cascade: cascade as ScrapeResult['cascade'],
    unblock: unblock as ScrapeResult['unblock'],
  };
}

/** The fields of a document file, and requested outputs. */
function presentFile(page: PageDocument, file: ParsedFile, request: ScrapeRequest): ScrapedFile {
  const { markdown, links = [] } = file;
  const { metadata, ...shown } = toResultFile(page, file);
  const facts = { ...metadata, ...(page.llm ? { llm: presentUse(page.llm.usage) } : {}) };
  return {
    ...(shown as ScrapedFile),
    ...(Object.keys(facts).length > 0 ? { metadata: facts as ScrapedFile['metadata'] } : {}),
    ...pick(formatNames(request.formats), { markdown, links, ...modelOutputs(page) }, page),
    ...(page.markdownCut ? { markdownCut: page.markdownCut } : {}),
    ...completeness(page),
  };
}

/** Null: the model failed, as `partial_reason` explains. */
function modelOutputs({ llm }: PageDocument): Pick<Record<Format, unknown>, 'json' | 'summary'> {
  return { json: llm?.json ?? null, summary: llm?.summary ?? null };
}

function pick(
  formats: readonly Format[] | undefined,
  outputs: Partial<Record<Format, unknown>>,
  { passages }: Pick<PageDocument, 'passages'>,
): { readonly formats?: Record<string, unknown> } {
  if (!formats) return {};
  const named = Object.fromEntries(formats.map((name) => [name, outputs[name] ?? null]));
  return { formats: passages ? { ...named, passages } : named };
}

/** Why the result is not whole; undefined: it is. */
export function partialReasonOf({ partialReason, file, llm }: PageDocument): string | undefined {
  return partialReason ?? file?.truncatedBy ?? llm?.problem ?? llm?.cut;
}

/** Never `partial` and `fallback` together (specification: Scrape result). */
function completeness(
  page: PageDocument,
): Pick<ScrapeResult, 'partial' | 'partial_reason' | 'fallback'> {
  const reason = partialReasonOf(page);
  if (reason !== undefined) return { partial: true, partial_reason: reason };
  const { fallback, file } = page;
  return fallback && !file ? { fallback: { used: true, ...fallback } } : {};
}

function presentActions(results: readonly ActionResult[]): NonNullable<ScrapeResult['actions']> {
  const of = (type: ActionResult['type']) =>
    results
      .filter((result) => result.type === type)
      .map(({ contentType, base64 }) => `data:${contentType};base64,${base64}`);
  return { screenshots: of('screenshot'), pdfs: of('pdf') };
}
