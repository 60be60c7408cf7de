const SPECIAL_IN_TEXT = /[&<>\u00a0]/g;
const SPECIAL_IN_ATTRIBUTE = /[&<>"\u00a0]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

const referenceOf = (char: string): string => REFERENCES[char] ?? char;

/** Text between tags; outside of raw text elements, which are never written. */
export function escapeHtmlText(text: string): string {
  return readable(text).replace(SPECIAL_IN_TEXT, referenceOf);
}

/** Value of an attribute between double quotes. Also without `<` and `>`, which only careless readers need. */
export function escapeHtmlAttribute(value: string): string {
  return readable(value).replace(SPECIAL_IN_ATTRIBUTE, referenceOf);
}

/** As a parser reads it back: it drops NULs, and carriage returns become line feeds. */
function readable(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n');
}
