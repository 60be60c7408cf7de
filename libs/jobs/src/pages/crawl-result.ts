import type { PageDocument } from '@app/contracts';
import { toCrawlResult, toResultListing } from '../results/result-document.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';

/**
 * JSON of a crawled page as results show it: with exactly the formats the job requested. Of a PDF
 * or DOCX the specification shows five fields. Pages of a batch have the `index` of their URL.
 * @param screenshot URL or data URI, when one was made
 */
export function crawlResult(
  page: PageDocument,
  { options, position }: Pick<ClaimedPage, 'options' | 'position'>,
  screenshot?: string,
): string {
  const { formats, listing, listingProvenance } = options.scrape;
  const { markdown, ...rest } = page;
  const isWanted = formats.includes('markdown') && markdown !== undefined;
  const result = {
    ...(position === null ? {} : { index: position }),
    ...toCrawlResult(isWanted ? page : rest),
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
