import type { BrandReading } from '@app/contracts';
import type { BrandResult } from './brand.dto.js';

/** The brand profile of the specification; what was not resolved is left out. */
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
