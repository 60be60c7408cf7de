/**
 * Text search configurations of PostgreSQL by primary language subtag (BCP 47). A server that lacks one reads its
 * pages by the rules of `simple`.
 */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Words as they are written, in lower case. */
const SIMPLE = 'simple';

/** The text search configuration for a page by the language tag it declares. */
export function textSearchConfiguration(language: string | null): string {
  const primary = language?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(CONFIGURATIONS, primary) ? (CONFIGURATIONS[primary] ?? SIMPLE) : SIMPLE;
}
