import { outputValues, type PageDocument } from '@app/contracts';
import { outputsOf } from '@app/scrape';
import { toResultDocument, toResultFile, toResultListing } from '../results/result-document.js';
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
  const { scrape } = options;
  const at = position === null ? {} : { index: position };
  if (page.file) return JSON.stringify({ ...at, ...toResultFile(page, page.file) });
  const outputs = outputsOf(scrape);
  const values = outputValues(
    outputs,
    shortened ? { ...page, markdown: shortened.markdown } : page,
  );
  return JSON.stringify({
    ...at,
    ...toResultDocument(page, values),
    ...(outputs.markdown && shortened ? { dropped_repeated: droppedOf(shortened) } : {}),
    ...(outputs.listing
      ? { listing: toResultListing(page.listing, scrape.listingProvenance) }
      : {}),
    // Null: requested, but no browser could take it.
    ...(outputs.screenshot ? { screenshot: screenshot ?? null } : {}),
  });
}

function droppedOf({ blocks, characters }: ShortenedPage): object {
  return { blocks, characters };
}
