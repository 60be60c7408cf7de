import type { Fingerprint } from '../fingerprint.js';
import { compileFingerprints } from './compile-fingerprints.js';
import { conclude } from './conclude.js';

type Facts = Omit<Fingerprint, 'name' | 'category'> & { readonly category?: string };

/** Names with their percent, of a table and what was seen. */
function concluded(table: Record<string, Facts>, seen: Record<string, number>): string[] {
  const set = compileFingerprints(
    Object.entries(table).map(([name, facts]) => ({ name, category: 'Any', ...facts })),
  );
  const findings = new Map(
    Object.entries(seen).map(([name, percent]) => [
      set.technologies.findIndex((one) => one.name === name),
      { percent, version: '' },
    ]),
  );
  return conclude(set, findings).map(({ name, confidence }) => `${name} ${confidence}`);
}

describe('conclude', () => {
  it.each<[string, Record<string, Facts>, Record<string, number>, string[]]>([
    [
      'what was seen, the surest first',
      { A: {}, B: {}, C: {} },
      { A: 50, B: 100 },
      ['B 1', 'A 0.5'],
    ],
    [
      'what it implies',
      { A: { implies: ['B'] }, B: { implies: ['C'] }, C: {} },
      { A: 80 },
      ['A 0.8', 'B 0.8', 'C 0.8'],
    ],
    [
      'no more than the implication says',
      { A: { implies: ['B\\;confidence:50'] }, B: { implies: ['C'] }, C: {} },
      { A: 100 },
      ['A 1', 'B 0.5', 'C 0.5'],
    ],
    [
      'the surer of seen and implied',
      { A: { implies: ['B\\;confidence:50'] }, B: {} },
      { A: 100, B: 75 },
      ['A 1', 'B 0.75'],
    ],
    ['a circle', { A: { implies: ['B'] }, B: { implies: ['A'] } }, { B: 60 }, ['A 0.6', 'B 0.6']],
    ['nothing implied that is unknown', { A: { implies: ['Unknown'] } }, { A: 100 }, ['A 1']],
    [
      'what is required beside it',
      { A: { requires: ['B', 'C'] }, B: {}, C: {} },
      { A: 100, C: 50 },
      ['A 1', 'C 0.5'],
    ],
    [
      'nothing without what it requires',
      { A: { requires: ['B'], implies: ['C'] }, B: {}, C: {} },
      { A: 100 },
      [],
    ],
    [
      'what requires something implied',
      { A: { requires: ['B'] }, B: {}, C: { implies: ['B'] } },
      { A: 100, C: 90 },
      ['A 1', 'B 0.9', 'C 0.9'],
    ],
    [
      'what requires what is required',
      { A: { requires: ['B'] }, B: { requires: ['C'] }, C: {} },
      { A: 100, B: 100, C: 100 },
      ['A 1', 'B 1', 'C 1'],
    ],
    [
      'nothing that requires itself alone',
      { A: { requires: ['B'] }, B: { requires: ['A'] } },
      { A: 100, B: 100 },
      [],
    ],
    [
      'a category required',
      { A: { requiresCategory: ['Shop'] }, B: { category: 'Shop' } },
      { A: 100, B: 100 },
      ['A 1', 'B 1'],
    ],
    [
      'nothing without the category',
      { A: { requiresCategory: ['Shop'] }, B: {} },
      { A: 100, B: 100 },
      ['B 1'],
    ],
    [
      'not what is excluded',
      { A: { excludes: ['B'] }, B: { implies: ['C'] }, C: {} },
      { A: 50, B: 100 },
      ['A 0.5'],
    ],
    [
      'the surer of two that exclude each other',
      { A: { excludes: ['B'] }, B: { excludes: ['A'] } },
      { A: 50, B: 100 },
      ['B 1'],
    ],
    [
      'the first by name of two equally sure',
      { A: { excludes: ['B'] }, B: { excludes: ['A'] } },
      { B: 100, A: 100 },
      ['A 1'],
    ],
    [
      'what only an excluded one excludes',
      { A: { excludes: ['B'] }, B: { excludes: ['C'] }, C: {} },
      { A: 100, B: 90, C: 80 },
      ['A 1', 'C 0.8'],
    ],
    [
      'nothing that required the excluded',
      { A: { excludes: ['B'] }, B: {}, C: { requires: ['B'] } },
      { A: 100, B: 90, C: 100 },
      ['A 1'],
    ],
  ])('keeps %s', (_, table, seen, expected) => {
    expect(concluded(table, seen)).toEqual(expected);
  });
});
