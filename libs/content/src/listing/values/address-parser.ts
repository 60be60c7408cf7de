import parser, { type ParsedLocation } from 'parse-address';

const ACCENTS = /[\u0300-\u036f]+/g;
/** A word with what people put inside one, a mark that the parser looks for, or a comma. */
const PARSED = /\w+(?:[-/.]\w+)*|[#&@,]/g;
/** More is no address; a line of words takes the parser time of the square of their number. */
const MAX_WORDS = 24;
const MAX_WORD_CHARS = 30;

/** A street, and a town with it or not. Undefined when the parser finds neither. */
export const parsedLocation = (text: string): ParsedLocation | undefined =>
  parsedBy(parser.parseLocation, text);

/** A street with a house number and nothing else. */
export const parsedStreet = (text: string): ParsedLocation | undefined =>
  // The parser wants something behind the street.
  parsedBy(parser.parseAddress, text, '.');

/**
 * The parser tries every way to split what lies between words: fifty marks in a row, or letters that it takes for marks,
 * take it seconds. So it gets plain words with one space between them.
 */
function parsedBy(
  parse: (text: string) => ParsedLocation | null,
  text: string,
  end = '',
): ParsedLocation | undefined {
  const plain = text.normalize('NFKD').replace(ACCENTS, '').replace(/['’]/g, '');
  const words = plain.match(PARSED) ?? [];
  const isLong = words.length > MAX_WORDS || words.some(({ length }) => length > MAX_WORD_CHARS);
  return isLong ? undefined : (parse(words.join(' ').replaceAll(' ,', ',') + end) ?? undefined);
}
