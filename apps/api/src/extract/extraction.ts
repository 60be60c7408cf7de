import type { ConvertReply, Listing, LlmOutput, PageDocument } from '@app/contracts';

/** The result for one page or content, before it is presented. */
export interface Extraction {
  readonly url: string | null;
  /** Null: the page shows no business, or none was requested. */
  readonly listing: Listing | null;
  /** Absent if no model was used. */
  readonly llm?: LlmOutput;
  readonly partialReason?: string;
  /** Fetch and extraction together. */
  readonly latencyMs: number;
}

export function ofPage(page: PageDocument, latencyMs: number): Extraction {
  const { url, listing = null, llm, file } = page;
  const partialReason = page.partialReason ?? file?.truncatedBy ?? llm?.cut;
  return { url, listing, llm, partialReason, latencyMs };
}

type Converted = Extract<ConvertReply, { kind: 'converted' }>;

export function ofContent(
  { listing = null, llm, truncatedBy }: Converted,
  { url, latencyMs }: Pick<Extraction, 'url' | 'latencyMs'>,
): Extraction {
  return { url, listing, llm, partialReason: truncatedBy ?? llm?.cut, latencyMs };
}
