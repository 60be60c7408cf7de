// How well records of one thing are found, on public labelled sets. See ../../README.md.
import { parseArgs } from 'node:util';
import type { LabelledSet } from './labelled-set.js';
import {
  readPersons,
  readRestaurantList,
  readRestaurantPairs,
  readTwoSources,
} from './labelled-set.js';
import { matchSet, type SetFigures, type SetMatcher, wrongClasses } from './matched-set.js';
import type { PairFigures } from './pair-figures.js';
import { personMatcher } from './persons.js';
import { productMatcher } from './products.js';
import { restaurantMatcher } from './restaurants.js';

interface Entry {
  readonly read: (dir: string) => LabelledSet;
  readonly matcherOf: (set: LabelledSet) => SetMatcher;
  /** F1 that the set must reach. */
  readonly bar?: number;
  /** F1 of the best published figure without labels. */
  readonly published?: number;
}

const ENTRIES: readonly Entry[] = [
  { read: readRestaurantList, matcherOf: restaurantMatcher, bar: 0.97 },
  { read: readRestaurantPairs, matcherOf: restaurantMatcher, bar: 0.97 },
  {
    read: (dir) =>
      readTwoSources(dir, {
        name: 'Fodors-Zagat without streets, 89 of 112 labelled',
        separator: '|',
        files: ['D1/rest1.csv', 'D1/rest2.csv'],
      }),
    matcherOf: restaurantMatcher,
  },
  ...([1, 2, 3] as const).map((number) => ({
    read: (dir: string) => readPersons(dir, number),
    matcherOf: personMatcher,
    bar: 0.97,
  })),
  {
    read: (dir) =>
      readTwoSources(dir, { name: 'Abt-Buy', separator: '|', files: ['D2/abt.csv', 'D2/buy.csv'] }),
    matcherOf: productMatcher,
    published: 0.947,
  },
  {
    read: (dir) =>
      readTwoSources(dir, {
        name: 'Amazon-Google',
        separator: '#',
        files: ['D3/amazon.csv', 'D3/gp.csv'],
      }),
    matcherOf: productMatcher,
    published: 0.625,
  },
];

/** Prints precision, recall and F1 of each set in the folder, and where the wrong pairs went wrong. */
export function entityResolutionBench(args: readonly string[]): Promise<void> {
  const { data, wrong } = parseOptions(args);
  let isMissed = false;
  for (const entry of ENTRIES) {
    const set = entry.read(data);
    const figures = matchSet(set, entry.matcherOf(set));
    for (const line of linesOf(figures, entry)) console.log(line);
    for (const line of wrongLines(set, figures, wrong)) console.log(line);
    isMissed ||= figures.all.f1 < (entry.bar ?? 0);
  }
  if (isMissed) process.exitCode = 1;
  return Promise.resolve();
}

function parseOptions(args: readonly string[]): { readonly data: string; readonly wrong: number } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      data: { type: 'string' },
      wrong: { type: 'string', default: '0' },
    },
  });
  if (values.data === undefined) {
    throw new Error('--data must name a folder with der/, ccer/ and febrl/: see bench/README.md');
  }
  return { data: values.data, wrong: Number(values.wrong) };
}

function linesOf(figures: SetFigures, { bar, published }: Entry): readonly string[] {
  const { name, rows, candidates, candidateRecall, all, msPerPair, wrong } = figures;
  const goal = [
    bar === undefined ? '' : `bar ${bar}`,
    published === undefined ? '' : `best published without labels ${published}`,
  ].join('');
  const classes = wrongClasses(wrong).slice(0, 8);
  return [
    `\n${name}: ${rows} records, ${candidates} pairs compared (${percent(candidateRecall)} of the true ones), ` +
      `${(msPerPair * 1_000).toFixed(1)} µs CPU a pair`,
    `  all        ${figuresText(all)}  ${goal}`,
    ...figures.halves.map((half, at) => `  half ${at + 1}     ${figuresText(half)}`),
    ...classes.map(([text, count]) => `  ${String(count).padStart(4)} ${text}`),
  ];
}

function wrongLines(set: LabelledSet, { wrong }: SetFigures, shown: number): readonly string[] {
  return wrong.slice(0, shown).flatMap(({ pair, kind, result }) => [
    `  ${kind}, score ${result.score}: ${result.reasons.map(({ field, level, weight }) => `${field} ${level} ${weight}`).join('; ')}`,
    ...pair.map(
      (at) =>
        `    ${Object.values(set.rows[at] ?? {})
          .join(' | ')
          .slice(0, 200)}`,
    ),
  ]);
}

const figuresText = ({ precision, recall, f1 }: PairFigures): string =>
  `F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}`;
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
