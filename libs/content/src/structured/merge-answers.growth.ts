import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { MAX_ANSWER_VALUES } from '../limits.js';
import { mergeAnswers } from './merge-answers.js';

const merge = (...values: unknown[]) =>
  mergeAnswers(values.map((value) => ({ value, quotes: {} }))).value;

describe('of many items', () => {
  const part = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ n: `item ${from + at}`, same: 'x' }));
  const alike = (count: number) => Array.from({ length: count }, (_, at) => ({ kind: 'same', at }));

  it.each<[string, (count: number) => readonly [unknown[], unknown[]]]>([
    ['with names', (count) => [part(0, count), part(count / 2, count)]],
    ['that are alike', (count) => [alike(count), alike(count).slice(count / 2)]],
  ])('takes time linear in those %s', async (_what, partsOf) => {
    const cost = cpuCost(partsOf, (parts) => merge(...parts));
    const growth = await growthOf(cost, { from: 1_250, upTo: MAX_ANSWER_VALUES / 2 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
