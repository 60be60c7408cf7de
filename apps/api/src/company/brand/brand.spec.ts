import type { BrandReading, Enrichment } from '@app/company';
import { factsOfBrand, factsOfEnrichment } from '../../../../../libs/graph/src/company-facts.js';
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

describe('the observations sent to the graph', () => {
  it('contain name and industry of a brand, with the time the site was read', () => {
    expect(factsOfBrand(BRAND)).toEqual({
      domain: 'acme.example',
      source: 'brand',
      readAt: new Date('2026-03-01T08:00:00Z'),
      name: 'Acme',
      industry: BRAND.industry,
      record: BRAND,
    });
  });

  it('contain technologies and brand of an enrichment, but no model usage', () => {
    const enrichment: Enrichment = {
      domain: 'acme.example',
      emails: ['a@acme.example'],
      phones: [],
      socials: {},
      team: [],
      pagesCrawled: 1,
      homepage: {},
      completeness: 0.5,
      tech: {
        technologies: [{ name: 'WordPress', category: 'CMS', confidence: 1 }],
        reasons: [],
        scannedBytes: 1,
        durationMs: 1,
      },
      brand: BRAND,
      isByModel: false,
      latencyMs: 5,
    };
    const readAt = new Date('2026-03-02T08:00:00Z');
    const facts = factsOfEnrichment(enrichment, readAt);
    expect(facts).toMatchObject({
      source: 'enrich',
      readAt,
      name: 'Acme',
      techStack: ['WordPress'],
      contacts: { emails: ['a@acme.example'], phones: [], team: [] },
    });
    expect(JSON.stringify(facts.record)).not.toContain('a@acme.example');
    expect(factsOfEnrichment({ ...enrichment, brand: null, tech: null }, readAt)).toMatchObject({
      techStack: [],
      record: { technologies: [] },
    });
  });
});
