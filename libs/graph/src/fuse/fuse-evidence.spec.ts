import fc from 'fast-check';
import type { BusinessEvidence, FactField, FactSource } from '../evidence/facts.js';
import { employeeBand, revenueBand, fuseEvidence } from './fuse-evidence.js';
import { facetsOf, industryFacets } from './facets.js';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');

/** Evidence of `day` days after the start. */
function stated(
  field: FactField,
  value: unknown,
  { day = 0, source = 'enrich' as FactSource, url = 'https://a.example/', confidence = 0.8 } = {},
): BusinessEvidence {
  const lastSeen = new Date(START + day * DAY_MS);
  return {
    field,
    value,
    confidence,
    url,
    source,
    firstSeen: lastSeen,
    lastSeen,
  } as BusinessEvidence;
}

const fused = (...evidence: readonly BusinessEvidence[]) => fuseEvidence(evidence)?.business;

describe('fuseEvidence', () => {
  it('takes what a source states now, not what it stated before', () => {
    expect(fused(stated('name', 'Old'), stated('name', 'New', { day: 1 }))?.name).toBe('New');
  });

  it('keeps the fields that a newer reading lacks', () => {
    const record = fused(stated('name', 'Acme'), stated('phone', '+12125550100', { day: 5 }));
    expect(record).toMatchObject({ name: 'Acme', phone: '+12125550100' });
  });

  it('takes the value that more sources state', () => {
    const others = ['import:gleif', 'import:sam'] as const;
    const record = fused(
      stated('name', 'Acme Web', { confidence: 0.8 }),
      ...others.map((source) => stated('name', 'Acme Inc', { source, confidence: 0.7 })),
    );
    expect(record?.name).toBe('Acme Inc');
  });

  it('lets evidence that is a year older than the newest count half', () => {
    const old = stated('name', 'Old', { source: 'import:a', confidence: 0.9 });
    const recent = stated('name', 'New', { day: 365, confidence: 0.5 });
    expect(fused(old, recent)?.name).toBe('New');
    expect(fused(old, { ...recent, confidence: 0.4 })?.name).toBe('Old');
  });

  it('takes the parts of an address from one source', () => {
    const record = fused(
      stated('location', { city: 'Austin', state: 'TX' }, { confidence: 0.6 }),
      stated(
        'location',
        { street: '1 Elm St', city: 'Dallas', state: 'TX', zip: '75201' },
        { url: 'b' },
      ),
    );
    expect(record?.location).toEqual({
      street: '1 Elm St',
      city: 'Dallas',
      state: 'TX',
      zip: '75201',
    });
  });

  it('lists the technologies that each source states now', () => {
    const record = fused(
      stated('tech', 'PHP'),
      stated('tech', 'WordPress', { day: 1 }),
      stated('tech', 'nginx', { day: 1 }),
      stated('tech', 'Stripe', { source: 'import:b' }),
    );
    expect(record?.techStack).toEqual(['Stripe', 'WordPress', 'nginx']);
  });

  it('has bands and profiles, and counts its sources', () => {
    const evidence = [
      stated('employees', { least: 11, most: 50 }),
      stated('revenue', 2_000_000, { source: 'import:b' }),
      stated('linkedin', 'https://www.linkedin.com/company/a', { day: 3 }),
    ];
    expect(fuseEvidence(evidence)).toEqual({
      business: {
        employeeBand: '11-50',
        revenueBand: '1M-10M',
        techStack: [],
        socials: { linkedin: 'https://www.linkedin.com/company/a' },
      },
      hasSite: true,
      sourceCount: 2,
      evidenceCount: 3,
      freshness: new Date(START + 3 * DAY_MS),
    });
    expect(fuseEvidence([])).toBeNull();
  });

  it('gives the same bytes for 100 orders of the same evidence', () => {
    const fact = fc.oneof(
      fc.record({
        field: fc.constantFrom<FactField[]>('name', 'phone', 'tech'),
        value: fc.constantFrom<unknown[]>('A', 'B', 'C'),
      }),
      fc.record({
        field: fc.constantFrom<FactField[]>('location', 'industry', 'employees'),
        value: fc.constantFrom<unknown[]>({ least: 1 }, { least: 90 }, { least: 1, most: 4 }),
      }),
    );
    const anyEvidence = fc.record({
      fact,
      source: fc.constantFrom<FactSource[]>('brand', 'enrich', 'import:a', 'import:b'),
      url: fc.constantFrom('u', 'v'),
      day: fc.integer({ min: 0, max: 800 }),
      confidence: fc.constantFrom(0.1, 0.3, 0.7, 1),
    });
    fc.assert(
      fc.property(
        fc
          .array(anyEvidence, { maxLength: 40 })
          .chain((rows) =>
            fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
          ),
        ([rows, shuffled]) => {
          const bytes = (list: typeof rows): string =>
            JSON.stringify(
              fuseEvidence(
                list.map(({ fact: { field, value }, ...more }) => stated(field, value, more)),
              ),
            );
          return bytes(rows) === bytes(shuffled);
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });
});

describe('bands', () => {
  it.each([
    [1, '1-10'],
    [10, '1-10'],
    [11, '11-50'],
    [10_000, '5001-10000'],
    [10_001, '10001+'],
  ])('of %j employees is %j', (least, band) => expect(employeeBand({ least })).toBe(band));

  it.each([
    [0, '<1M'],
    [999_999, '<1M'],
    [1_000_000, '1M-10M'],
    [1_000_000_000, '1B+'],
  ])('of %j dollars is %j', (dollars, band) => expect(revenueBand(dollars)).toBe(band));
});

describe('facets', () => {
  it('are the terms that queries select by', () => {
    const facets = facetsOf({
      techStack: ['Word Press', 'nginx'],
      socials: {},
      industry: { naics: '621210', title: 'Offices of Dentists' },
      location: { city: 'São  Paulo', state: 'TX' },
    });
    expect(facets).toEqual([
      ...[
        'c:sao paulo',
        'i:dentists',
        'i:offices',
        'n:62',
        'n:621',
        'n:6212',
        'n:62121',
        'n:621210',
      ],
      ...['s:tx', 't:nginx', 't:word press'],
    ]);
    expect(industryFacets('6212')).toEqual(['n:6212']);
    expect(industryFacets(' offices OF Dentists ')).toEqual(['i:offices', 'i:dentists']);
  });
});
