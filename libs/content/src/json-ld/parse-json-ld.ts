import { repairJson } from './repair-json.js';

/** What authors and their templates put around JSON although it may not be there. */
const WRAPPING = /^(?:\s|\/\/|\/\*|\*\/|<!\[CDATA\[|<!--|;)+/;
const CLOSING = ['//', '/*', '*/', ']]>', '-->', ';', ','] as const;
const ENCODED_START = /^[[{]\s*(?:&quot;|&#0?34;|&#x22;)/i;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#034;': '"',
  '&#x22;': '"',
  '&amp;': '&',
};

/**
 * The value of a JSON-LD block as sites really write them: in comments or CDATA, with comments,
 * trailing commas, raw line breaks in strings, inner quotes, several values in a row, or with its
 * quotes as entities. Undefined when it cannot be read. Time is linear in the text.
 */
export function parseJsonLd(source: string): unknown {
  const strict = parseStrictly(source);
  if (strict !== undefined) return strict;
  const bare = withoutClosing(source.replace(WRAPPING, ''));
  const text = ENCODED_START.test(bare) ? decoded(bare) : bare;
  return parseStrictly(text) ?? parseStrictly(repairJson(text));
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the caller tries the next reading.
    return undefined;
  }
}

const decoded = (text: string): string =>
  text.replace(/&(?:quot|#0?34|#x22|amp);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity);

/** JSON without the ends of comments and CDATA, semicolons, commas and white space behind it. */
function withoutClosing(text: string): string {
  let end = text.length;
  for (let length = closingBefore(text, end); length > 0; length = closingBefore(text, end))
    end -= length;
  return text.slice(0, end);
}

function closingBefore(text: string, end: number): number {
  if (/\s/.test(text[end - 1] ?? '')) return 1;
  return CLOSING.find((closing) => text.endsWith(closing, end))?.length ?? 0;
}
