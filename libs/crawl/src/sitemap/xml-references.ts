const REFERENCE = /&(?:#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const OWN_ENTITY = /&[A-Za-z_][\w.:-]*;/;

/**
 * Resolves the five names of XML and numbers, once; whatever else looks like a reference is left.
 */
export function resolveReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Whether an entity of the document's own is named: its value is not looked up. */
export function namesOwnEntity(text: string): boolean {
  return text.includes('&') && OWN_ENTITY.test(text.replace(REFERENCE, ''));
}

/** Text as it would have to be written for {@link resolveReferences} to give it back. */
export function escapeReferences(text: string): string {
  return text.replaceAll('&', '&amp;');
}
