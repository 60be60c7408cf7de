import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { AhoCorasick } from './aho-corasick.js';

describe('AhoCorasick', () => {
  it.each([
    ['no literal', () => 'zebra '],
    ['the beginnings of literals', () => '/wp-content/plugi'],
    ['literals', () => 'wp-content/plugins/'],
  ])('takes time linear in a text of %s', async (_, piece) => {
    const automaton = new AhoCorasick(['/wp-content/plugins/a', 'wp-content', 'plugins/', 'ins/b']);
    let hits = 0;
    const cost = cpuCost(
      (chars) => piece().repeat(Math.ceil(chars / piece().length)),
      (text: string) => automaton.scan(text, () => hits++),
    );
    expect(await growthOf(cost, { from: 100_000, upTo: 4_000_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
