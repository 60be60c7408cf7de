import type { JsonSchema } from '@app/contracts';
import { presentUse } from '../models/model-request.js';
import type { ExtractedData, ExtractedListing } from './extract-result.dto.js';
import type { Extraction } from './extraction.js';

/** The answer for one page or content (specification: POST /v1/extract). */
export function presentExtraction(
  extraction: Extraction,
  schema: JsonSchema | null,
): ExtractedListing | ExtractedData {
  return schema === null ? presentListing(extraction) : presentData(extraction, schema);
}

function presentListing({ url, listing, partialReason }: Extraction): ExtractedListing {
  return {
    url,
    data: listing as ExtractedListing['data'],
    ...(listing === null ? { reason: 'no_listing' } : {}),
    ...cut(partialReason),
  };
}

function presentData(extraction: Extraction, schema: JsonSchema): ExtractedData {
  const { url, llm, latencyMs, partialReason } = extraction;
  return {
    url,
    data: llm?.json ?? null,
    schema,
    metadata: { ...presentUse(llm?.usage), latencyMs },
    // Beside the data, never in it: `data` is valid by the schema.
    _provenance: llm?.quotes ?? {},
    ...cut(partialReason),
  };
}

function cut(reason: string | undefined): { partial?: true; partial_reason?: string } {
  return reason === undefined ? {} : { partial: true, partial_reason: reason };
}
