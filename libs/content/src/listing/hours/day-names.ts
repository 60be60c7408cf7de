/** Days in the order of results. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** Whole names and English abbreviations, which mean a day in any text. */
const NAMES: Readonly<Record<Day, string>> = {
  mon: 'monday mondays mon montag montags lundi lunes lunedì lunedi maandag segunda-feira',
  tue: 'tuesday tuesdays tues tue dienstag dienstags mardi martes martedì martedi dinsdag terça-feira',
  wed: 'wednesday wednesdays weds wed mittwoch mittwochs mercredi miércoles miercoles mercoledì mercoledi woensdag quarta-feira',
  thu: 'thursday thursdays thurs thur thu donnerstag donnerstags jeudi jueves giovedì giovedi donderdag quinta-feira',
  fri: 'friday fridays fri freitag freitags vendredi viernes venerdì venerdi vrijdag sexta-feira',
  sat: 'saturday saturdays sat samstag samstags sonnabend samedi sábado sabado sabato zaterdag',
  sun: 'sunday sundays sun sonntag sonntags dimanche domingo domenica zondag',
};

/** Abbreviations that are words elsewhere (`do`, `so`, `mar`): only in pages of their language. */
const SHORT: Readonly<Record<string, string>> = {
  // schema.org's own two letters.
  schema: 'mo tu we th fr sa su',
  de: 'mo di mi do fr sa so',
  nl: 'ma di wo do vr za zo',
  fr: 'lun mar mer jeu ven sam dim',
  es: 'lun mar mié jue vie sáb dom',
  it: 'lun mar mer gio ven sab dom',
  pt: 'seg ter qua qui sex sáb dom',
};

/** Single letters mean days only beside another (`M-F`). */
const LETTERS: Readonly<Record<string, Day>> = {
  M: 'mon',
  T: 'tue',
  Tu: 'tue',
  W: 'wed',
  Th: 'thu',
  R: 'thu',
  F: 'fri',
  S: 'sat',
  Sa: 'sat',
  Su: 'sun',
};

const common = new Map(
  DAYS.flatMap((day) => NAMES[day].split(' ').map((name) => [name, day] as const)),
);

const byLanguage = new Map(
  Object.entries(SHORT).map(([language, names]) => [
    language,
    new Map(names.split(' ').map((name, index) => [name, DAYS[index] ?? 'mon'] as const)),
  ]),
);

/**
 * The day a lower-case word names in a page of that language (`de`; `schema` for markup), if any.
 */
export function dayNamed(word: string, language: string): Day | undefined {
  return common.get(word) ?? byLanguage.get(language)?.get(word);
}

export const dayOfLetters = (letters: string): Day | undefined => LETTERS[letters];

/** From one day to another, over the end of the week if need be. */
export function daysBetween(from: Day, to: Day): readonly Day[] {
  const start = DAYS.indexOf(from);
  const count = ((DAYS.indexOf(to) - start + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => DAYS[(start + index) % 7] ?? from);
}
