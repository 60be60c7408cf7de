import type { BrandReading } from '@app/company';
import type { BrandResult } from './brand.dto.js';

/** The brand profile of the specification; unresolved fields are omitted. */
export function presentBrand({
  confidence,
  provenance,
  reasons,
  freshness,
  ...fields
}: BrandReading): BrandResult {
  return {
    ...fields,
    _confidence: confidence,
    _provenance: provenance,
    _freshness: freshness,
    brand_meta: { partial: reasons.length > 0, reasons },
  };
}
