import { toCrawlResult, toResultListing, type PageDocument } from '@app/contracts';
import type { ClaimedPage } from '../frontier/claim-pages.js';

/**
 * JSON of a crawled page as results show it: with the formats the job asked for and no others. Of a PDF
 * or DOCX the specification shows five fields. Those of a batch carry the `index` of their address.
 * @param screenshot address or data URI, when one was made
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
    // Null: asked for, and no browser could take it.
    ...(formats.includes('screenshot') ? { screenshot: screenshot ?? null } : {}),
  });
}
