import { writeFileSync } from 'node:fs';
import { seededRandom } from '@app/testing';
import { openFreshDatabase } from '../../../../test/setup/open-fresh-database.js';
import type { Fact, Observation } from '../../src/evidence/facts.js';
import { type MatchRecord, prepareRecord } from '../../src/match/match-record.js';
import { registrableDomain } from '../../src/match/registrable-domain.js';
import { writeObservations } from '../../src/store/write-observations.js';
import { makeWorld, type WorldRecord } from './make-world.js';
import { figuresOf } from './match-world.js';

/** `npm run test:soak -- stored-world`: takes about two minutes of CPU. */
const BUSINESSES = 20_000;
const SEED = 11;
const BATCH = 200;
const SEEN_AT = new Date('2026-03-01T12:00:00Z');

/** A record as a source of the graph states it. */
function observationOf(record: MatchRecord): Observation {
  const { name, phones = [], street, city, state, zip, country, uei, licenses = [] } = record;
  const place = Object.entries({ street, city, state, zip, country }).filter(
    ([, value]) => value !== undefined,
  );
  const domain = record.domain === undefined ? undefined : registrableDomain(record.domain);
  const facts: readonly (readonly [string, unknown])[] = [
    ...(name === undefined ? [] : [['name', name] as const]),
    ...(city === undefined && zip === undefined
      ? []
      : [['location', Object.fromEntries(place)] as const]),
    ...(domain === undefined ? [] : [['domain', domain] as const]),
    ...[...prepareRecord({ phones, ...(country === undefined ? {} : { country }) }).phones].map(
      (phone) => ['phone', phone] as const,
    ),
    ...(uei === undefined ? [] : [['uei', uei] as const]),
    ...licenses.map((license) => ['license', license] as const),
  ];
  return {
    ...{ source: 'import:world', seenAt: SEEN_AT, site: null },
    facts: facts.map(([field, value]) => ({ field, value, confidence: 0.8, url: null }) as Fact),
  };
}

/** In the order in which sources of different times would bring them: none. */
function shuffled(world: readonly WorldRecord[]): readonly WorldRecord[] {
  const random = seededRandom(SEED);
  return world
    .map((record) => ({ record, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ record }) => record);
}

describe(`a generated world of ${BUSINESSES} businesses, written to the graph`, () => {
  it('mixes at most one group of a thousand, and 95 of a hundred pairs are found by each key', async () => {
    const fresh = await openFreshDatabase();
    try {
      const world = shuffled(makeWorld(BUSINESSES, SEED));
      const ids: (string | null)[] = [];
      const started = performance.now();
      for (let from = 0; from < world.length; from += BATCH) {
        const batch = world.slice(from, from + BATCH).map(({ record }) => observationOf(record));
        const { businessIds } = await writeObservations(fresh.database, batch, { tenantId: null });
        ids.push(...businessIds);
      }
      const seconds = (performance.now() - started) / 1_000;
      const rows = await fresh.database.query<{ id: string; root: string }>({
        name: 'read_roots',
        text: 'SELECT id, coalesce(merged_into, id) AS root FROM businesses',
      });
      const rootOf = new Map(rows.map(({ id, root }) => [id, root]));
      const groups = Map.groupBy(ids.keys(), (at) => rootOf.get(ids[at] ?? '') ?? `none ${at}`);
      const subjects = world.map(({ record }) => prepareRecord(record));
      const figures = figuresOf(world, {
        ...{ subjects, groups: [...groups.values()], candidatePairs: 0 },
      });
      // Jest hides what its tests print.
      writeFileSync(2, `${JSON.stringify({ ...figures, seconds }, null, 1)}\n`);
      expect(figures.mixedGroups / figures.groups).toBeLessThanOrEqual(0.001);
      // A mixed group of two outlets counts six pairs here; all at once, the same world has 1.3 of a thousand.
      expect(figures.falsePairs / figures.mergedPairs).toBeLessThanOrEqual(0.002);
      expect(Math.min(...Object.values(figures.recallByKey))).toBeGreaterThanOrEqual(0.95);
    } finally {
      await fresh.drop();
    }
  }, 7_200_000);
});
