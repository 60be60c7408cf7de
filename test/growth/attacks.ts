import { AST, RegExpParser } from '@eslint-community/regexpp';

/** One of them is in nearly every set of characters. */
const CHARACTERS = [...'aA1 \n/-_.,"\'()[]{}<>=&:;#@é一+*!|%?\t\\~'];

/**
 * Texts that make an expression start over and over: for each of its unbounded repetitions what leads
 * into it and one round of it. Linters see the repetition at the start of an expression; here the start
 * may be any text, as `url(` in `url\([^)]*\)`.
 */
export function attacksOn(source: string): ReadonlySet<string> {
  const { pattern, flags } = new RegExpParser().parseLiteral(source);
  const attacks = new Set(attacksIn(pattern.alternatives, flags, ''));
  attacks.delete('');
  return attacks;
}

function* attacksIn(
  alternatives: readonly AST.Alternative[],
  flags: AST.Flags,
  before: string,
): Generator<string> {
  for (const { elements } of alternatives) {
    let lead = before;
    for (const element of elements) {
      const repeated = element.type === 'Quantifier' ? element.element : element;
      if (element.type === 'Quantifier' && element.max === Infinity) {
        const round = sampleOf(repeated, flags);
        yield* [lead + round, round, lead];
      }
      if (repeated.type === 'Group' || repeated.type === 'CapturingGroup')
        yield* attacksIn(repeated.alternatives, flags, lead);
      lead += sampleOf(element, flags);
    }
  }
}

/** A short text that an element takes. */
function sampleOf(element: AST.Element, flags: AST.Flags): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return characterOf(element.raw, flags);
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? [])
        .map((part) => sampleOf(part, flags))
        .join('');
    case 'Quantifier':
      return sampleOf(element.element, flags).repeat(
        element.max === 0 ? 0 : Math.max(1, element.min),
      );
    case 'Assertion':
    case 'Backreference':
      return '';
  }
}

function characterOf(set: string, { ignoreCase, unicode, dotAll }: AST.Flags): string {
  const flags = `${ignoreCase ? 'i' : ''}${unicode ? 'u' : ''}${dotAll ? 's' : ''}`;
  const expression = new RegExp(`^${set}$`, flags);
  return CHARACTERS.find((character) => expression.test(character)) ?? '';
}
