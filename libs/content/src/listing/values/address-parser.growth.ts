import { cpuCost } from '@app/testing';
import { readAddressText } from './address-text.js';
import { streetParts } from './street-parts.js';

/** Texts of at most 160 characters: the parser by itself takes seconds for some of them. */
const MARKS = [
  'é',
  '\u{7ff0f}',
  '.',
  '-',
  '!.',
  '#',
  ' -',
  '¿,',
  '. é.',
  'n.',
  '中',
  '1/',
  '@',
  'a',
];
const MIXED = `12 A${'¿'.repeat(9)}.${'é¿ '.repeat(6)}-@${'中,'.repeat(5)} e. n! ${'¿-'.repeat(9)}CA,bldg`;
const HOSTILE = [
  MIXED,
  ...MARKS.flatMap((mark) => [`12 A ${mark.repeat(60)} e n bldg`, `12 ${mark.repeat(75)}`]),
];
const PLAIN = '435 S. La Cienega Blvd., Suite 100';
const ROUNDS = 50;
/** Far above what a busy machine adds, far below what a parser takes that tries every split. */
const MOST_TIMES = 60;

describe.each([
  ['streetParts', streetParts],
  ['readAddressText', (text: string) => readAddressText(`${text}, Austin, TX 78701`)],
] as const)('%s', (_, read) => {
  it('reads hostile texts about as fast as a plain one', async () => {
    const cost = async (text: string): Promise<number> => {
      const once = cpuCost(() => text, read);
      // One call shows what is far too slow; many show the rest.
      const ms = await once(text.length, 1);
      return ms > 100 ? ms * ROUNDS : once(text.length, ROUNDS);
    };
    await cost(PLAIN);
    const plainMs = Math.min(await cost(PLAIN), await cost(PLAIN));
    const slow: string[] = [];
    for (const text of HOSTILE) {
      const times = Math.min(await cost(text), await cost(text)) / plainMs;
      if (times > MOST_TIMES) slow.push(`${JSON.stringify(text)}: ${times.toFixed(0)} times`);
    }
    expect(slow).toEqual([]);
  });
});
