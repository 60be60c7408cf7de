/** A day as a text says it. `year` null: the text leaves it out. */
export interface DateInText {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Names and abbreviations in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTHS: readonly ReadonlySet<string>[] = [
  'jan january januar jänner janvier janv enero ene gennaio gen janeiro januari',
  'feb february februar févr février fév febrero febbraio fevereiro fev februari',
  'mar march märz mrz mars marzo março maart mrt',
  'apr april avril avr abril abr aprile',
  'may mai mayo maggio mag maio mei',
  'jun june juni juin junio giugno giu junho',
  'jul july juli juillet juil julio luglio lug julho',
  'aug august août aoû agosto ago augustus',
  'sep sept september septembre septiembre settembre set setembro',
  'oct october okt oktober octobre octubre ottobre ott outubro out',
  'nov november novembre noviembre novembro',
  'dec december dez dezember décembre déc diciembre dic dicembre dezembro',
].map((names) => new Set(names.split(' ')));

const NUMERIC = /(?<!\d|\d[-/.])(\d{1,4})([-/.])\s?(\d{1,2})\2\s?(\d{1,4})(?!\d|[-/.]\d)/g;
const EAST_ASIAN = /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/gu;
/** 12 March 2024, 12. März, 12th of March, 2 de marzo de 2024. */
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s(?:of\s|de\s)?(\p{L}{3,10})\.?,?(?:\s(?:de\s|del\s)?(\d{4}))?(?!\d)/giu;
/** March 12, 2024; Mar. 12. */
const MONTH_FIRST =
  /(?<![\p{L}])(\p{L}{3,10})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4}))?(?!\d)/giu;

/** All days that a text names in the common ways. A day that can be read in two ways comes twice. */
export function findDates(text: string): DateInText[] {
  return [
    ...[...text.matchAll(NUMERIC)].flatMap(readNumeric),
    ...[...text.matchAll(EAST_ASIAN)].flatMap((match) =>
      date(match, Number(match[1]), Number(match[2]), Number(match[3])),
    ),
    ...[...text.matchAll(DAY_FIRST)].flatMap((match) =>
      date(match, yearOf(match[3]), monthOf(match[2]), Number(match[1])),
    ),
    ...[...text.matchAll(MONTH_FIRST)].flatMap((match) =>
      date(match, yearOf(match[3]), monthOf(match[1]), Number(match[2])),
    ),
  ];
}

function readNumeric(match: RegExpMatchArray): DateInText[] {
  const [, first = '', , second = '', third = ''] = match;
  if (first.length === 4) return date(match, Number(first), Number(second), Number(third));
  if (first.length === 3 || third.length === 1 || third.length === 3) return [];
  const year = third.length === 2 ? 2_000 + Number(third) : Number(third);
  const dayFirst = date(match, year, Number(second), Number(first));
  const monthFirst = date(match, year, Number(first), Number(second));
  return first === second ? dayFirst : [...dayFirst, ...monthFirst];
}

function date(
  { index = 0, 0: whole }: RegExpMatchArray,
  year: number | null,
  month: number,
  day: number,
): DateInText[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  return [{ start: index, end: index + whole.length, year, month, day }];
}

function yearOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** 1 to 12; 0 when the word names none. */
function monthOf(word: string | undefined): number {
  const name = (word ?? '').toLowerCase();
  return 1 + MONTHS.findIndex((names) => names.has(name));
}
