import type { SeededRandom } from '@app/testing';
import type { Town } from './town.js';
import * as words from './vocabulary.js';

type NameMaker = (random: SeededRandom, town: Town) => string;

const tradeOf = (random: SeededRandom): string =>
  `${random.pick(words.TRADES)} ${random.pick(words.TRADE_ENDINGS)}`.trim();

/** Forms of names, each with how many of a hundred have it. */
const FORMS: readonly (readonly [number, NameMaker])[] = [
  [26, (random) => `${random.pick(words.SURNAMES)} ${tradeOf(random)}`],
  [
    10,
    (random) =>
      `${random.pick(words.SURNAMES)} & ${random.pick(words.SURNAMES)} ${random.pick(words.TRADES)}`,
  ],
  [12, (random) => `${random.pick(words.GIVEN_NAMES)}'s ${tradeOf(random)}`],
  [8, (random, { city }) => `${city} ${tradeOf(random)}`],
  [18, (random) => `${random.pick(words.FANCY_WORDS)} ${tradeOf(random)}`],
  [6, (random) => `The ${random.pick(words.FANCY_WORDS)} ${random.pick(words.TRADES)}`],
  [14, (random) => `${inventedWord(random)} ${tradeOf(random)}`],
  [3, (random) => `A-${random.int(1, 9)} ${tradeOf(random)}`],
  [
    3,
    (random, { city }) =>
      `First ${random.pick(words.FANCY_WORDS)} ${random.pick(words.TRADES)} of ${city}`,
  ],
];

export function businessName(random: SeededRandom, town: Town): string {
  let left = random.next() * 100;
  for (const [share, make] of FORMS) {
    left -= share;
    if (left < 0) return make(random, town);
  }
  return inventedWord(random);
}

/** A word that no other business has, but for chance: `Kormarix`. */
export function inventedWord(random: SeededRandom): string {
  const syllables = Array.from({ length: random.int(2, 4) }, () => random.pick(words.SYLLABLES));
  const word = syllables.join('');
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}
