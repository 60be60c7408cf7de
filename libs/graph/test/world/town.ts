import type { SeededRandom } from '@app/testing';
import * as words from './vocabulary.js';

export interface Town {
  readonly city: string;
  readonly state: string;
  readonly areaCode: string;
  readonly zips: readonly string[];
}

/** The place of one business, in full. */
export interface WorldPlace {
  readonly number: number;
  readonly direction: readonly [string, string] | null;
  readonly street: string;
  readonly type: readonly [string, string];
  readonly unit: number | null;
  readonly town: Town;
  readonly zip: string;
}

/** Businesses of one town, on average. */
const BUSINESSES_PER_TOWN = 400;
const MIN_TOWNS = 12;
const MAX_ZIPS = 10;

export function makeTowns(random: SeededRandom, businesses: number): readonly Town[] {
  const count = Math.max(MIN_TOWNS, Math.ceil(businesses / BUSINESSES_PER_TOWN));
  return Array.from({ length: count }, (_, at) => {
    const [state, prefix, areaCode] = random.pick(words.STATES);
    const zips = Array.from(
      { length: random.int(1, MAX_ZIPS) },
      (_, zip) => `${prefix}${String((at * MAX_ZIPS + zip) % 1_000).padStart(3, '0')}`,
    );
    const city = `${random.pick(words.CITY_STARTS)}${random.pick(words.CITY_ENDS)}`;
    return { city: random.next() < 0.05 ? `St. ${city}` : city, state, areaCode, zips };
  });
}

export function makePlace(random: SeededRandom, town: Town): WorldPlace {
  return {
    number: random.int(1, 9_999),
    direction: random.next() < 0.3 ? random.pick(words.DIRECTIONS) : null,
    street: random.pick(words.STREET_NAMES),
    type: random.pick(words.STREET_TYPES),
    unit: random.next() < 0.25 ? random.int(1, 400) : null,
    town,
    zip: random.pick(town.zips),
  };
}
