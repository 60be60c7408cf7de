import fc from 'fast-check';
import { AhoCorasick } from './aho-corasick.js';

function hitsOf(literals: readonly string[], text: string): string[] {
  const automaton = new AhoCorasick(literals);
  const hits: string[] = [];
  automaton.scan(text, (literal, end) => hits.push(`${literals[literal]}@${end}`));
  return hits.sort();
}

function naiveHits(literals: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  return literals
    .flatMap((literal) => {
      const ends: string[] = [];
      for (let at = lower.indexOf(literal); at !== -1; at = lower.indexOf(literal, at + 1))
        ends.push(`${literal}@${at + literal.length}`);
      return ends;
    })
    .sort();
}

describe('AhoCorasick', () => {
  it.each([
    ['one in another', ['he', 'she', 'hers', 'his'], 'ushers'],
    ['either case', ['jquery'], 'JQuery jQUERY'],
    ['overlapping', ['aa', 'aaa'], 'aaaa'],
    ['characters beyond ASCII between', ['ab'], 'aéb aébab'],
    ['none', ['xyz'], 'abc'],
  ])('finds literals: %s', (_, literals, text) => {
    expect(hitsOf(literals, text)).toEqual(naiveHits(literals, text));
  });

  it('matches the characters that a case-insensitive pattern matches as k and s', () => {
    expect(hitsOf(['kiss'], '\u212ai\u017fs')).toEqual(['kiss@4']);
  });

  it('finds the same as a search for each literal alone, in any text', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc-'), minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom(...'abcABC-é'), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 12 }),
        text,
        (literals, of) => {
          expect(hitsOf(literals, of)).toEqual(naiveHits(literals, of));
        },
      ),
    );
  });

  it('finds the same beyond the nodes that have a row of their own', () => {
    const literals = Array.from(
      { length: 4_000 },
      (_, index) => `plugin-${(index * 7_919).toString(36)}/x`,
    );
    const text = literals.slice(0, 50).join(' ') + 'plugin-plugin-' + (literals[3_999] ?? '');
    expect(hitsOf(literals, text)).toEqual(naiveHits(literals, text));
  });
});
