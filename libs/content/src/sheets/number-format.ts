/** How a cell shows its number (ECMA-376 part 1, 18.8.30), as far as a reader of its text needs it. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'percent'; readonly decimals: number }
  /** Leading zeros are part of it: postal codes, ids. */
  | { readonly kind: 'padded'; readonly digits: number }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** Hours may exceed a day. */
  | { readonly kind: 'duration' };

const PLAIN: NumberFormat = { kind: 'plain' };
const DATE: NumberFormat = { kind: 'date', hasDate: true, hasTime: false };
const TIME: NumberFormat = { kind: 'date', hasDate: false, hasTime: true };

/** Formats that have numbers alone: those of all languages, and the dates of East Asian ones. */
function builtInFormat(id: number): NumberFormat {
  if (id === 9 || id === 10) return { kind: 'percent', decimals: 2 };
  if (id === 22) return { kind: 'date', hasDate: true, hasTime: true };
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36) return DATE;
  if ((id >= 50 && id <= 54) || id === 57 || id === 58) return DATE;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return TIME;
  if (id === 55 || id === 56) return TIME;
  return id === 46 ? { kind: 'duration' } : PLAIN;
}

const MAX_CODE_CHARS = 1_000;

/** @param code as the file defines it; undefined: one of those that have numbers alone */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return builtInFormat(id);
  const [section = ''] = code.slice(0, MAX_CODE_CHARS).split(';', 1);
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return { kind: 'duration' };
  // Text in quotes, characters after a backslash, widths and fill, conditions and languages.
  const signs = section.replace(/"[^"]*"|[\\_*].|\[[^\][]*\]/gs, '');
  if (/general|standard/i.test(signs)) return PLAIN;
  if (/[dyhsm]/i.test(signs)) {
    const hasTime = /[hs]/i.test(signs);
    return { kind: 'date', hasDate: /[dy]/i.test(signs) || !hasTime, hasTime };
  }
  if (signs.includes('%')) {
    const decimals = /\.([0#?]{1,15})/.exec(signs)?.[1]?.length ?? 0;
    return { kind: 'percent', decimals: Math.max(2, decimals) };
  }
  return /^0{2,20}$/.test(signs) ? { kind: 'padded', digits: signs.length } : PLAIN;
}

const DAY_MS = 86_400_000;
/** 31 December 9999. */
const MAX_DAY = 2_958_465;
/** Days from the first of both calendars to 1970. */
const DAYS_TO_1970 = { from1900: 25_569, from1904: 24_107 } as const;

/**
 * A number as text: dates and times in ISO 8601, percentages with their sign, all else as it is computed, without
 * thousands separators and with the 15 digits that spreadsheets have.
 */
export function cellNumber(value: number, format: NumberFormat, isFrom1904: boolean): string {
  switch (format.kind) {
    case 'percent':
      return `${Number((value * 100).toFixed(format.decimals))}%`;
    case 'padded':
      return Number.isInteger(value) && value >= 0
        ? String(value).padStart(format.digits, '0')
        : plainNumber(value);
    case 'duration':
      return durationText(value);
    case 'date':
      return value >= 0 && value <= MAX_DAY
        ? dateText(value, format, isFrom1904)
        : plainNumber(value);
    case 'plain':
      return plainNumber(value);
  }
}

const plainNumber = (value: number): string =>
  String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)));

function dateText(
  serial: number,
  { hasDate, hasTime }: Extract<NumberFormat, { kind: 'date' }>,
  isFrom1904: boolean,
): string {
  // The calendar from 1900 has a 29 February 1900, which never was.
  const days = !isFrom1904 && serial < 60 ? serial + 1 : serial;
  const offset = isFrom1904 ? DAYS_TO_1970.from1904 : DAYS_TO_1970.from1900;
  const time = new Date(Math.round(((days - offset) * DAY_MS) / 1_000) * 1_000);
  const iso = time.toISOString();
  const clock = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19);
  if (!hasDate) return clock;
  return hasTime ? `${iso.slice(0, 10)} ${clock}` : iso.slice(0, 10);
}

function durationText(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  if (!Number.isSafeInteger(seconds)) return plainNumber(days);
  const two = (part: number): string => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const sign = days < 0 ? '-' : '';
  return `${sign}${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
