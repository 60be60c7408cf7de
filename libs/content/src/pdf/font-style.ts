/** What a font says by its name; readers see it as emphasis or as code. */
export interface FontStyle {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMono: boolean;
}

export const PLAIN_FONT: FontStyle = { isBold: false, isItalic: false, isMono: false };

/** Names of foundries and of TeX's families (cmbx10, SFBX1000, NimbusRomNo9L-Medi). */
const BOLD = /bold|black|heavy|demi|[-_]medi(?!um)|(?:cm|sf|ec|la)(?:bx|ssbx|b\d)|rmb\d|[-,]bd/i;
const ITALIC =
  /ital|obli|slant|(?:cm|sf|ec|la)(?:[bx]*ti|[bx]*sl|ssi|u)\d|regu?-?ital|[-,](?:it|bdit)\b/i;
const MONO =
  /mono|cour|typew|(?:cm|sf|ec|la|tx|lm)tt|cmsltt|consol|menlo|inconsol|nimbusmon|fixed|lettergothic|\bhack\b/i;

/** @param name PostScript name, with or without the tag of a subset. */
export function fontStyleOf(name: string): FontStyle {
  const own = name.replace(/^[A-Z]{6}\+/, '');
  return { isBold: BOLD.test(own), isItalic: ITALIC.test(own), isMono: MONO.test(own) };
}
