import { outputValues, type PageDocument } from '@app/contracts';
import { besidePacked, outputsOf } from '@app/scrape';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { toResultDocument, toResultFile, toResultListing } from '../results/result-document.js';
import type { ShortenedPage } from './repeated-parts.js';

interface MadeOfPage {
  readonly screenshot?: string | undefined;
  readonly shortened?: ShortenedPage | null | undefined;
  readonly packed?: Uint8Array | undefined;
}

/**
 * JSON of a crawled page as results show it: with exactly the formats the job requested. Of a PDF
 * the specification shows five fields, which all document files have. Pages of a batch have the `index` of their URL.
 * @param made what was made of the page: URL or data URI of its picture, its Markdown if it is not stored whole, and outputs
 *   that are JSON already
 */
export function crawlResult(
  page: PageDocument,
  { options, position }: Pick<ClaimedPage, 'options' | 'position'>,
  { screenshot, shortened, packed }: MadeOfPage = {},
): string | Uint8Array {
  const { scrape } = options;
  const at = position === null ? {} : { index: position };
  if (page.file) return JSON.stringify({ ...at, ...toResultFile(page, page.file) });
  const outputs = outputsOf(scrape);
  const values = outputValues(
    packed ? besidePacked(outputs) : outputs,
    shortened ? { ...page, markdown: shortened.markdown } : page,
  );
  const result = JSON.stringify({
    ...at,
    ...toResultDocument(page, values),
    ...(outputs.markdown && shortened ? { dropped_repeated: droppedOf(shortened) } : {}),
    ...(outputs.listing
      ? { listing: toResultListing(page.listing, scrape.listingProvenance) }
      : {}),
    // Null: requested, but no browser could take it.
    ...(outputs.screenshot ? { screenshot: screenshot ?? null } : {}),
  });
  return packed ? joinObjects(result, packed) : result;
}

const EMPTY_OBJECT = 2;

/** UTF-8 of a JSON object with the fields of two, neither of them empty but perhaps the second. */
function joinObjects(first: string, second: Uint8Array): Uint8Array {
  if (second.length <= EMPTY_OBJECT) return Buffer.from(first);
  return Buffer.concat([Buffer.from(`${first.slice(0, -1)},`), second.subarray(1)]);
}

function droppedOf({ blocks, characters }: ShortenedPage): object {
  return { blocks, characters };
}
