import type { BrandReading } from '@app/company';
import { presentBrand } from './present-brand.js';

const BRAND: BrandReading = {
  domain: 'acme.example',
  name: 'Acme',
  colors: [{ hex: '#0d6efd', rgb: [13, 110, 253], frequency: 20 }],
  fonts: ['Inter'],
  socials: {},
  industry: { naics: '621210', title: 'Offices of Dentists', confidence: 0.9 },
  confidence: 0.76,
  provenance: { name: 'https://acme.example/' },
  reasons: ['css_value_cap'],
  freshness: '2026-03-01T08:00:00.000Z',
};

describe('presentBrand', () => {
  it('shows the fields of the specification, and omits unresolved ones', () => {
    expect(presentBrand(BRAND)).toEqual({
      domain: 'acme.example',
      name: 'Acme',
      colors: BRAND.colors,
      fonts: ['Inter'],
      socials: {},
      industry: BRAND.industry,
      _confidence: 0.76,
      _provenance: { name: 'https://acme.example/' },
      _freshness: '2026-03-01T08:00:00.000Z',
      brand_meta: { partial: true, reasons: ['css_value_cap'] },
    });
    expect(presentBrand({ ...BRAND, reasons: [] }).brand_meta).toEqual({
      partial: false,
      reasons: [],
    });
  });
});
