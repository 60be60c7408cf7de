import fc from 'fast-check';
import type { MatchCounts } from './business-table.js';
import { joinSubjects, type MatchRecord, prepareRecord } from './match-record.js';
import { scoreMatch, scoreSubjects } from './score-match.js';

const FEW: MatchCounts = { nameCount: () => 2, domainCount: () => 2, phoneCount: () => 2 };
const MANY: MatchCounts = { nameCount: () => 60, domainCount: () => 60, phoneCount: () => 60 };

const SHOP: MatchRecord = {
  ...{ name: 'Kormarix Evergreen Plumbing LLC', domain: 'kormarix.com', phones: ['+15122345678'] },
  ...{ street: '100 Main St', city: 'Austin', state: 'TX', zip: '78701' },
};
const NAME = { name: SHOP.name ?? '' };
const NEW_PLACE = { street: '7 Oak Ave', city: 'Austin', state: 'TX', zip: '78745' };
const DALLAS = { street: '7 Oak Ave', city: 'Dallas', state: 'TX', zip: '75201' };
const OTHER_NAME = { name: 'Zenith Flooring' };
const PLACE = { street: '100 Main St', city: 'Austin', state: 'TX', zip: '78701' };
const SITE = { domain: 'kormarix.com' };
const PHONE = { phones: ['+15122345678'] };
const OTHER_PHONE = { phones: ['+15128765432'] };
const TOLL_FREE = { phones: ['+18002345678'] };

describe('scoreMatch matches', () => {
  it.each<[string, MatchRecord, MatchRecord, MatchCounts]>([
    [
      'one shop in two spellings',
      SHOP,
      { ...SHOP, name: 'KORMARIX EVERGREEN PLUMBING', street: '100 Main Street' },
      {},
    ],
    [
      'a misspelled name with its phone number',
      { name: 'Kormarix Evergren Plumbing', ...PHONE },
      SHOP,
      {},
    ],
    ['a name in its ZIP code, when it is rare', { ...NAME, zip: '78701' }, SHOP, FEW],
    ['a name with its phone number', { ...NAME, ...PHONE }, SHOP, {}],
    ['a name with its domain', { ...NAME, ...SITE }, SHOP, {}],
    [
      'a name with its address, although the phone numbers differ',
      { ...NAME, ...PLACE, ...OTHER_PHONE },
      SHOP,
      {},
    ],
    ['a moved shop by its phone number', { ...NAME, ...NEW_PLACE, ...PHONE }, SHOP, FEW],
    [
      'a renamed firm by its domain, address and number',
      { ...OTHER_NAME, ...PLACE, ...SITE, ...PHONE },
      SHOP,
      FEW,
    ],
    [
      'a renamed firm by its UEI',
      { ...OTHER_NAME, uei: 'ABCDEFGHJ123' },
      { ...SHOP, uei: 'ABCDEFGHJ123' },
      {},
    ],
    [
      'a license with the same name, in another place',
      { ...NAME, ...DALLAS, licenses: ['TX:1'] },
      { ...SHOP, licenses: ['TX:1'] },
      {},
    ],
    ['a former name', { ...OTHER_NAME, aliases: [NAME.name], ...PHONE }, SHOP, {}],
  ])('%s', (_, a, b, counts) => {
    expect(scoreMatch(a, b, counts)).toMatchObject({ isMatch: true });
  });
});

describe('scoreMatch keeps apart', () => {
  it.each<[string, MatchRecord, MatchRecord, MatchCounts]>([
    ['two of one name', NAME, SHOP, FEW],
    ['two of one name in one state', { ...NAME, state: 'TX' }, SHOP, FEW],
    ['two of one name in one city', { ...NAME, city: 'Austin', state: 'TX' }, SHOP, FEW],
    [
      'two of one common name in one ZIP code',
      { name: 'City Pizza', zip: '78701' },
      { name: 'City Pizza', ...PLACE },
      {},
    ],
    [
      'a name alone, however long',
      { name: 'Kormarix Evergreen Olson Beacon Zenith Union' },
      { name: 'Kormarix Evergreen Olson Beacon Zenith Union' },
      { nameCount: () => 1 },
    ],
    [
      'two firms of one house that name the site of one of them',
      { ...OTHER_NAME, ...PLACE, ...SITE },
      { ...SHOP, phones: [] },
      FEW,
    ],
    ['branches that share name and domain', { ...NAME, ...SITE, ...DALLAS }, SHOP, {}],
    [
      'branches that share name, domain and a toll-free number',
      { ...NAME, ...SITE, ...TOLL_FREE, ...DALLAS },
      { ...SHOP, ...TOLL_FREE },
      {},
    ],
    [
      'branches that share name, domain and phone number',
      { ...NAME, ...SITE, ...PHONE, ...DALLAS },
      SHOP,
      MANY,
    ],
    [
      'branches that share name, domain and phone number in two states',
      { ...NAME, ...SITE, ...PHONE, state: 'OK' },
      SHOP,
      FEW,
    ],
    [
      'outlets in one town with phone numbers of their own',
      { ...NAME, ...SITE, ...OTHER_PHONE, ...NEW_PLACE },
      SHOP,
      FEW,
    ],
    [
      'two places in one town with one domain, no number telling a move from a second outlet',
      { ...NAME, ...NEW_PLACE, ...SITE },
      { ...SHOP, phones: [] },
      FEW,
    ],
    ['a branch and a record of the chain without a place', { ...NAME, ...SITE }, SHOP, MANY],
    ['clients of one call center', { ...OTHER_NAME, ...PHONE, ...NEW_PLACE }, SHOP, MANY],
    ['two names with one phone number', { ...OTHER_NAME, ...PHONE }, SHOP, {}],
    ['two names with one domain', { ...OTHER_NAME, ...SITE }, SHOP, {}],
    [
      'two names with one domain and phone number',
      { ...OTHER_NAME, ...SITE, ...PHONE },
      { ...SHOP, street: '', city: '', state: '', zip: '' },
      {},
    ],
    [
      'shops of a mall with one site',
      { ...OTHER_NAME, ...SITE, ...PLACE },
      { ...SHOP, phones: [] },
      MANY,
    ],
    [
      'two firms of one owner in one house',
      { name: 'Kormarix Evergreen Realty', ...PHONE, ...PLACE },
      { ...SHOP, domain: '' },
      {},
    ],
    ['neighbors in one house', { ...OTHER_NAME, ...OTHER_PHONE, ...PLACE }, SHOP, {}],
    ['two UEIs', { ...SHOP, uei: 'ABCDEFGHJ123' }, { ...SHOP, uei: 'ABCDEFGHJ124' }, {}],
    ['records that say nothing', {}, {}, {}],
    [
      'pages of one social network',
      { ...OTHER_NAME, domain: 'facebook.com/a' },
      { ...NAME, domain: 'facebook.com/b' },
      {},
    ],
  ])('%s', (_, a, b, counts) => {
    expect(scoreMatch(a, b, counts)).toMatchObject({ isMatch: false });
  });
});

describe('scoreMatch', () => {
  it('takes a phone number for as telling as few businesses have it, of several the most telling', () => {
    const counts: MatchCounts = { phoneCount: (number) => (number === PHONE.phones[0] ? 60 : 3) };
    const phones = [...PHONE.phones, ...OTHER_PHONE.phones];
    const weightOf = (numbers: readonly string[]): number | undefined =>
      scoreMatch({ phones: numbers }, { phones }, counts).reasons[0]?.weight;
    expect(weightOf(PHONE.phones)).toBe(0.5);
    expect(weightOf(OTHER_PHONE.phones)).toBe(4.66);
    expect(weightOf(phones)).toBe(4.66);
    expect(scoreMatch({ ...NAME, ...PHONE }, SHOP, counts).isMatch).toBe(false);
  });

  it('gives the reasons with their weights, which add up to the score', () => {
    expect(scoreMatch({ ...NAME, ...SITE, ...DALLAS }, SHOP)).toEqual({
      score: 4,
      isMatch: false,
      reasons: [
        { field: 'name', level: 'same', weight: 7 },
        { field: 'domain', level: 'same', weight: 9 },
        { field: 'location', level: 'other town', weight: -5 },
        { field: 'brand', level: 'name and domain are one fact', weight: -7 },
      ],
    });
  });

  const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const record = fc.record(
    {
      name: some(
        'Acme Pizza',
        'Acme Piza LLC',
        'Acme Grill',
        'Zenith',
        'Joe & Joe',
        'joe and jo',
        '',
      ),
      aliases: fc.array(fc.constantFrom('Acme', 'Old Acme Pizza', 'Nova 7', 'Nova 8'), {
        maxLength: 3,
      }),
      domain: some('acme.com', 'acme.net', 'facebook.com'),
      phones: fc.array(fc.constantFrom('+15122345678', '(512) 876-5432', '1-800-234-5678'), {
        maxLength: 3,
      }),
      street: some(
        '100 Main St',
        '100 N Main Street #4',
        '100 S Main St',
        '7 Oak',
        'Main St',
        '17 Oak',
      ),
      city: some('Austin', 'Asutin', 'Dallas'),
      state: some('TX', 'Texas', 'OK'),
      zip: some('78701', '78701-1234', '75201'),
      country: some('US', 'CA'),
      uei: some('ABCDEFGHJ123', 'ABCDEFGHJ124'),
      licenses: fc.array(fc.constantFrom('TX:1', 'TX:2'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  const anyRecord: fc.Arbitrary<MatchRecord> = record.map((values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  );
  const count = fc.option(fc.nat({ max: 100 }), { nil: undefined });
  const counts = fc.tuple(count, count, count).map(([name, domain, phone]): MatchCounts => ({
    ...{ nameCount: () => name, domainCount: () => domain, phoneCount: () => phone },
  }));

  it('is the same in both directions, and its reasons add up', () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, counts, (a, b, known) => {
        const result = scoreMatch(a, b, known);
        expect(scoreMatch(b, a, known)).toEqual(result);
        expect(result.score).toBeCloseTo(
          result.reasons.reduce((sum, { weight }) => sum + weight, 0),
          6,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same in both directions for records that were joined', () => {
    fc.assert(
      fc.property(
        fc.tuple(anyRecord, anyRecord, anyRecord, anyRecord),
        counts,
        (records, known) => {
          const [a, b, c, d] = records.map(prepareRecord);
          if (!a || !b || !c || !d) throw new Error('four records');
          const [one, other] = [joinSubjects(a, b), joinSubjects(c, d)];
          expect(scoreSubjects(other, one, known)).toEqual(scoreSubjects(one, other, known));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('never matches by names alone', () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, counts, (a, b, known) => {
        const named = ({ name = '', aliases = [] }: MatchRecord): MatchRecord => ({
          name,
          aliases,
        });
        expect(scoreMatch(named(a), named(b), known).isMatch).toBe(false);
        expect(scoreMatch(named(a), named(a), known).isMatch).toBe(false);
      }),
    );
  });

  it('never matches different names by a phone number or a domain alone', () => {
    const value = fc.constantFrom({ phones: ['+15122345678'] }, { domain: 'acme.com' });
    fc.assert(
      fc.property(value, counts, (shared, known) => {
        const [a, b] = [
          { name: 'Acme Pizza', ...shared },
          { name: 'Zenith Tile', ...shared },
        ];
        expect(scoreMatch(a, b, known).isMatch).toBe(false);
      }),
    );
  });

  it('reads any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const wild = fc.record({
      ...{
        name: text,
        aliases: fc.array(text),
        domain: text,
        phones: fc.array(text),
        street: text,
      },
      ...{ city: text, state: text, zip: text, country: text, uei: text, licenses: fc.array(text) },
    });
    fc.assert(
      fc.property(wild, wild, (a, b) => {
        expect(scoreMatch(b, a)).toEqual(scoreMatch(a, b));
      }),
    );
  });
});
