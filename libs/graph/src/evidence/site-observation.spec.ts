import type { BrandReading, Enrichment } from '@app/company';
import { companyDomain } from './company-domain.js';
import { isDeskMailbox } from './desk-mailbox.js';
import { observationOfBrand, observationOfEnrichment } from './site-observation.js';

const BRAND: BrandReading = {
  domain: 'acme.com',
  name: 'Acme',
  description: 'Dentists in Austin',
  logo: 'https://acme.com/logo.svg',
  colors: [],
  fonts: [],
  socials: { linkedin: 'https://www.linkedin.com/company/acme' },
  industry: { naics: '621210', title: 'Offices of Dentists', confidence: 0.9 },
  confidence: 0.76,
  provenance: { name: 'https://acme.com/' },
  reasons: [],
  freshness: '2026-03-01T08:00:00.000Z',
};
const ENRICHMENT: Enrichment = {
  domain: 'acme.com',
  emails: ['jane.doe@acme.com', 'Info@acme.com', 'info@gmail.com'],
  phones: ['(512) 555-0100'],
  phoneNumbers: ['+15125550100'],
  place: { city: 'Austin', state: 'TX', zip: '78701', employees: { least: 11, most: 50 } },
  socials: { twitter: 'https://x.com/acme' },
  team: [{ name: 'Jane Doe', role: 'CEO', email: 'jane.doe@acme.com' }],
  pagesCrawled: 1,
  homepage: { description: 'Teeth.' },
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
const AT = new Date('2026-03-02T08:00:00Z');

const valuesOf = (observation: ReturnType<typeof observationOfBrand>) =>
  Object.fromEntries((observation?.facts ?? []).map(({ field, value }) => [field, value]));

describe('what a reading states for the graph', () => {
  it('is the facts of a brand, at the time its site was read', () => {
    const observation = observationOfBrand(BRAND);
    expect(observation).toMatchObject({ source: 'brand', site: 'acme.com' });
    expect(observation?.seenAt).toEqual(new Date('2026-03-01T08:00:00Z'));
    expect(valuesOf(observation)).toEqual({
      name: 'Acme',
      description: 'Dentists in Austin',
      logo: 'https://acme.com/logo.svg',
      linkedin: 'https://www.linkedin.com/company/acme',
      industry: { naics: '621210', title: 'Offices of Dentists' },
      domain: 'acme.com',
    });
  });

  it('is the facts of an enrichment with its brand, and no person', () => {
    const observation = observationOfEnrichment(ENRICHMENT, AT, 'resolve');
    expect(observation).toMatchObject({ source: 'resolve', seenAt: AT });
    expect(valuesOf(observation)).toMatchObject({
      name: 'Acme',
      tech: 'WordPress',
      phone: '+15125550100',
      email: 'info@acme.com',
      location: { city: 'Austin', state: 'TX', zip: '78701', country: 'US' },
      employees: { least: 11, most: 50 },
    });
    expect(JSON.stringify(observation)).not.toMatch(/jane|gmail/i);
  });

  it('without a brand is the description and the profiles of the pages', () => {
    const observation = observationOfEnrichment({ ...ENRICHMENT, brand: null, tech: null }, AT);
    expect(valuesOf(observation)).toMatchObject({
      description: 'Teeth.',
      twitter: 'https://x.com/acme',
    });
    expect(valuesOf(observation)).not.toHaveProperty('tech');
  });

  it.each([
    ['acme.com', 'acme.com'],
    ['acme.github.io', 'acme.github.io'],
    ['blog.acme.com', null],
    ['facebook.com', null],
  ])('of %s is of the own site of %s', (domain, site) => {
    expect(observationOfBrand({ ...BRAND, domain })).toMatchObject({ site });
  });

  it('is bounded and storable', () => {
    const name = `A\0\ud800${'x'.repeat(100_000)}`;
    const text = String(valuesOf(observationOfBrand({ ...BRAND, name }))['name']);
    expect([text.length <= 1_000, text.isWellFormed(), text.includes('\0')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('companyDomain', () => {
  it.each([
    ['https://www.shop.acme.co.uk/x?y', 'acme.co.uk'],
    ['ACME.com.', 'acme.com'],
    ['acme.github.io', 'acme.github.io'],
    ['http://127.0.0.1:8080/', '127.0.0.1'],
    ['https://[::1]/', '[::1]'],
    ['', null],
    ['not a host', null],
    [`${'a'.repeat(300)}.com`, null],
  ])('of %j is %j', (text, domain) => {
    expect(companyDomain(text)).toBe(domain);
  });
});

describe('isDeskMailbox', () => {
  it.each([
    ['info@acme.com', true],
    ['customer.care@mail.acme.com', true],
    ['jane.doe@acme.com', false],
    ['info@other.com', false],
    ['@acme.com', false],
    ['', false],
  ])('of %j is %j', (address, isDesk) => {
    expect(isDeskMailbox(address, 'acme.com')).toBe(isDesk);
  });
});
