import { readablePage } from '../readable-page.js';
import {
  type ListingFixture,
  loadFixtures,
  precisionOf,
  fieldRecall,
  scoreFixtures,
  tableOf,
  totalOf,
} from './fixtures/score-fixtures.js';
import { readListing } from './read-listing.js';

const fixtures = loadFixtures();

function read({ html, url }: ListingFixture) {
  return readListing(readablePage(html, url));
}

const ofKind = (kind: ListingFixture['kind']): readonly ListingFixture[] =>
  fixtures.filter((fixture) => fixture.kind === kind);

describe('listings of realistic pages', () => {
  it('has at least sixty of them', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ['structured', 0.97, 0.95],
    ['unstructured', 0.9, 0.9],
  ] as const)('reads %s pages with a precision of %d and a recall of %d', (kind, least, reach) => {
    const score = scoreFixtures(ofKind(kind), read);
    console.info(tableOf(`${kind}: ${ofKind(kind).length} pages`, score));
    expect(fieldRecall(totalOf(score))).toBeGreaterThanOrEqual(reach);
    // Names the fields that fall short, with what was read instead.
    const short = [...score.byField].filter(([, counts]) => precisionOf(counts) < least);
    const fields = new Set<string>(short.map(([field]) => field));
    expect(score.misses.filter(({ field }) => fields.has(field))).toEqual([]);
  });

  it.each(ofKind('none').map((fixture) => [fixture.name, fixture] as const))(
    'sees no listing in %s',
    (_, fixture) => {
      expect(read(fixture)).toBeNull();
    },
  );
});
