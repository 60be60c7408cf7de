import type { PageDocument } from '@app/contracts';
import { toCrawlResult, toResultListing } from '../results/result-document.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { ShortenedPage } from './repeated-parts.js';

interface MadeOfPage {
  readonly screenshot?: string | undefined;
  readonly shortened?: ShortenedPage | null | undefined;
}

/**
 * JSON of a crawled page as results show it: with exactly the formats the job requested. Of a PDF
 * or DOCX the specification shows five fields. Pages of a batch have the `index` of their URL.
 * @param made what was made of the page: URL or data URI of its picture, and its Markdown if it is not stored whole
 */
export function crawlResult(
  page: PageDocument,
  { options, position }: Pick<ClaimedPage, 'options' | 'position'>,
  { screenshot, shortened }: MadeOfPage = {},
): string {
  const { formats, listing, listingProvenance } = options.scrape;
  const { markdown, ...rest } = page;
  const isWanted = formats.includes('markdown') && markdown !== undefined;
  const kept = isWanted ? { ...page, markdown: shortened?.markdown ?? markdown } : rest;
  const result = {
    ...(position === null ? {} : { index: position }),
    ...toCrawlResult(kept),
    ...(isWanted && shortened ? { dropped_repeated: droppedOf(shortened) } : {}),
  };
  if (page.file) return JSON.stringify(result);
  return JSON.stringify({
    ...result,
    ...(listing ? { listing: toResultListing(page.listing, listingProvenance) } : {}),
    ...(formats.includes('branding') ? { branding: page.branding ?? {} } : {}),
    ...(formats.includes('product') ? { product: page.product ?? null } : {}),
    // Null: requested, but no browser could take it.
    ...(formats.includes('screenshot') ? { screenshot: screenshot ?? null } : {}),
  });
}

function droppedOf({ blocks, characters }: ShortenedPage): object {
  return { blocks, characters };
}
