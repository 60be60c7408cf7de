const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const ORDINAL_TENS =
  'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth';

const CARDINAL: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, tens) => [word, tens * 10] as const).slice(2),
]);
const ORDINAL: ReadonlyMap<string, number> = new Map([
  ...ORDINALS.map((word, value) => [word, value] as const).slice(1),
  ...ORDINAL_TENS.split(' ').map((word, at) => [word, (at + 2) * 10] as const),
]);

/**
 * English number words below 100 in digits: `seven eleven` becomes `7 11`, `twenty first` `21st`. Other languages keep
 * their words: `due`, `once` and `six` mean something else in the next one.
 */
export function digitsOfNumbers(words: readonly string[]): readonly string[] {
  if (!words.some((word) => CARDINAL.has(word) || ORDINAL.has(word))) return words;
  const result: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const pair = joinedNumber(word, words[at + 1] ?? '');
    if (pair !== undefined) at++;
    result.push(pair ?? digitsOf(word));
  }
  return result;
}

/** `twenty one` and `twenty first`. */
function joinedNumber(word: string, next: string): string | undefined {
  const tens = CARDINAL.get(word) ?? 0;
  if (tens < 20) return undefined;
  const unit = CARDINAL.get(next) ?? 0;
  if (unit >= 1 && unit <= 9) return String(tens + unit);
  const ordinal = ORDINAL.get(next) ?? 0;
  return ordinal >= 1 && ordinal <= 9 ? ordinalDigits(tens + ordinal) : undefined;
}

function digitsOf(word: string): string {
  const ordinal = ORDINAL.get(word);
  return ordinal === undefined ? String(CARDINAL.get(word) ?? word) : ordinalDigits(ordinal);
}

function ordinalDigits(value: number): string {
  const isTeen = value > 10 && value < 20;
  const ending = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[value % 10];
  return `${value}${ending ?? 'th'}`;
}
