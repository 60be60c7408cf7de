/** What a `<meta>` that declares an encoding has; browsers look for it in the first 1,024 bytes (HTML standard 13.2.3.2). */
const DECLARING_META = /<meta\b[^>]{0,500}charset/i;
const MAX_HEAD_CHARS = 4_096;

/** Characters that windows-1252 has for 0x80 to 0xbf, in their order (Encoding standard, 9.1). */
const HIGH = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 64 }, (_, at) => 0x80 + at),
);
const BYTE_OF = new Map(Array.from(HIGH, (character, at) => [character, 0x80 + at]));
const NEXT = `(?:&nbsp;|[${HIGH}])`;
/** A letter that begins a sequence of UTF-8, and those that its length asks for; or another letter beyond ASCII. */
const SEQUENCE = new RegExp(
  `[Â-ß]${NEXT}|[à-ï]${NEXT}{2}|[ð-ô]${NEXT}{3}|[\\u0080-\\u00ff${HIGH}]`,
  'g',
);

/**
 * The source of a rendered page as it was meant: a browser reads UTF-8 that nothing declares as windows-1252, letter by
 * letter of each sequence. A page in which as many other letters stand alone is in that encoding.
 *
 * @param contentType as the server sent it
 */
export function repairMisreadUtf8(html: string, contentType: string | undefined): string {
  const isDeclared = /charset/i.test(contentType ?? '');
  if (isDeclared || DECLARING_META.test(html.slice(0, MAX_HEAD_CHARS))) return html;
  let [misread, alone] = [0, 0];
  const read = html.replace(SEQUENCE, (letters) => {
    const meant = meantBy(letters);
    if (meant === null) alone++;
    else misread++;
    return meant ?? letters;
  });
  return misread > alone ? read : html;
}

/** The character of a sequence; null: it is none of UTF-8 (RFC 3629, section 4). */
function meantBy(letters: string): string | null {
  const rest = letters.slice(1).replaceAll('&nbsp;', '\u00a0');
  if (rest === '') return null;
  let point = letters.charCodeAt(0) & (0x3f >> rest.length);
  for (const character of rest) point = (point << 6) | ((BYTE_OF.get(character) ?? 0) & 0x3f);
  const least = [0x80, 0x800, 0x1_0000][rest.length - 1] ?? 0;
  const isOther = point < least || point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff);
  return isOther ? null : String.fromCodePoint(point);
}
