/**
 * A pattern of addresses that often has no end, and how many of it one job follows. Links of one
 * shape are counted together; those beyond `most` are traps.
 */
export interface TrapSign {
  readonly shape: string;
  readonly most: number;
}

/** A block of segments this often in a row comes from links that are relative and should not be. */
const REPEATS = 3;
const LONGEST_BLOCK = 5;
/** One segment this often in a path, next to each other or not. */
const MOST_ALIKE = 4;
const MAX_SEGMENTS = 20;
const MAX_PARAMETERS = 8;
/** One parameter this often in a query: filters that links only ever add to. */
const MOST_OF_ONE_NAME = 4;
/** Years around now that a calendar may well have entries in. */
const NEAR_PAST_YEARS = 30;
const NEAR_FUTURE_YEARS = 1;
/** A list this long ends long before. */
const FAR_PAGE = 10_000;

/** Most addresses followed of one shape, by the sign it shows. */
const MOST = {
  repeat: 10,
  deep: 50,
  parameters: 100,
  session: 100,
  farDate: 20,
  date: 1_000,
  farPage: 100,
} as const;

/**
 * Whether an address looks like one of a row without an end: calendars, session ids, parameters or
 * folders that grow. Null for all others, however many there are of a kind: `/product/<number>` a
 * hundred thousand times is a large shop.
 * @param year the year of now: only robots request dates of calendars far from it
 */
export function trapSign(url: URL, year: number): TrapSign | null {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  return (
    folderTrap(url, segments) ?? queryTrap(url, segments, year) ?? dateInPath(url, segments, year)
  );
}

function folderTrap(url: URL, segments: readonly string[]): TrapSign | null {
  if (repeats(segments)) {
    const parts = [...new Set(segments.map(collapse))].sort();
    return sign('repeat', url, parts.join('/'));
  }
  if (segments.length <= MAX_SEGMENTS) return null;
  return sign('deep', url, segments.slice(0, 2).map(collapse).join('/'));
}

/** `a/b/a/b/a/b`, `a/a/a`, or one segment over and over among others. */
function repeats(segments: readonly string[]): boolean {
  if (segments.length < REPEATS || new Set(segments).size === segments.length) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    if (isShortNumber(segment)) continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count >= MOST_ALIKE) return true;
    counts.set(segment, count);
  }
  for (let size = 1; size <= LONGEST_BLOCK; size++) {
    if (hasRun(segments, size)) return true;
  }
  return false;
}

/** Whether a block of `size` segments repeats {@link REPEATS} times in a row. */
function hasRun(segments: readonly string[], size: number): boolean {
  let alike = 0;
  for (let at = size; at < segments.length; at++) {
    alike = segments[at] === segments[at - size] ? alike + 1 : 0;
    // Three digits may well follow each other in an address made of numbers: `/1/1/1/`.
    if (
      alike >= size * (REPEATS - 1) &&
      !segments.slice(at - size + 1, at + 1).every(isShortNumber)
    )
      return true;
  }
  return false;
}

const isShortNumber = (segment: string): boolean => /^\d{1,2}$/.test(segment);

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * What the signs of a query are made of; nearly every query is known to be harmless by it, unread.
 */
const SUSPECT =
  /&.*&.*&|sess|token|nonce|csrf|ticket|sid|date|day|month|week|ye?a?r|cal|\d-?\d\d|\d{5}/i;

function queryTrap(url: URL, segments: readonly string[], year: number): TrapSign | null {
  const { search } = url;
  if (search.length < 2 || !SUSPECT.test(search)) return null;
  const parameters = [...url.searchParams].map(([name, value]) => ({ name, value }));
  const path = segments.map(collapse).join('/');
  if (parameters.length > MAX_PARAMETERS || isRepeating(parameters)) {
    // Their names may be what grows: the shape is the path alone.
    return sign('parameters', url, path);
  }
  const shape = `${path}?${parameters
    .map(({ name }) => name)
    .sort()
    .join('&')}`;
  if (parameters.some(isSession)) return sign('session', url, shape);
  const dates = parameters
    .map((one) => yearOf(one, parameters, year))
    .filter((one) => one !== null);
  if (dates.length > 0) {
    return sign(dates.every((one) => isNear(one, year)) ? 'date' : 'farDate', url, shape);
  }
  return parameters.some(isFarPage) ? sign('farPage', url, shape) : null;
}

function isRepeating(parameters: readonly Parameter[]): boolean {
  const counts = new Map<string, number>();
  for (const { name } of parameters) {
    // `tag[0]`, `tag[1]` … are one parameter.
    const base = name.replace(/\[[^[\]]*\]$/, '');
    const count = (counts.get(base) ?? 0) + 1;
    if (count >= MOST_OF_ONE_NAME) return true;
    counts.set(base, count);
  }
  return false;
}

/** A token drawn by lot; what is plainly a session is left out of the key already. */
function isSession({ name, value }: Parameter): boolean {
  return (
    /^(?:.*(?:sess(?:ion)?|token|nonce|csrf)|ticket|sid|s)$/i.test(name) &&
    /^(?=.*\d)[0-9a-f-]{16,}$/i.test(value)
  );
}

const DATE = /^(\d{4})-?(?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?$/;
const DATE_NAME = /^(?:.*_)?(?:date|day|month|week|year|yr|cal(?:endar)?|(?:tribe-bar-)?date.*)$/i;

/** The year a parameter names, if any: `date=2031-05`, `year=2031&month=5`. */
function yearOf(
  { name, value }: Parameter,
  all: readonly Parameter[],
  year: number,
): number | null {
  const date = DATE.exec(value);
  if (date && (DATE_NAME.test(name) || value.includes('-'))) return Number(date[1]);
  if (!/^(?:.*_)?(?:year|yr)$/i.test(name) || !/^\d{4,6}$/.test(value)) return null;
  // A catalogue of model years has neither months nor far years.
  const hasMonths = all.some((one) => /^(?:.*_)?(?:month|mon|week|day)$/i.test(one.name));
  return hasMonths || !isNear(Number(value), year) ? Number(value) : null;
}

function isFarPage({ name, value }: Parameter): boolean {
  if (!/^\d{5,}$/.test(value)) return false;
  return /^(?:p|pg|page|paged|page_?(?:no|num|number))$/i.test(name) && Number(value) > FAR_PAGE;
}

/**
 * `/events/2031/05/`, `/2031-05-17`: an address that ends in a date is a page of a calendar or
 * archive.
 */
function dateInPath(url: URL, segments: readonly string[], year: number): TrapSign | null {
  const found = yearOfPath(segments);
  if (found === null) return null;
  const folder = segments.filter((segment) => !/^[\d-]+$/.test(segment)).map(collapse);
  return sign(isNear(found, year) ? 'date' : 'farDate', url, folder.join('/'));
}

const CALENDAR =
  /(?:^|[-_])(?:calendars?|cal|events?|archives?|agenda|schedule|kalender|termine)(?:$|[-_.])/i;
const MONTH = /^(?:0?[1-9]|1[0-2])$/;
const DAY = /^(?:0?[1-9]|[12]\d|3[01])$/;

/**
 * Without a word for it, only a date written as one counts: `/topic/1950/2` is the second page of a
 * discussion.
 */
function yearOfPath(segments: readonly string[]): number | null {
  const last = segments.at(-1) ?? '';
  // Nearly every path ends here.
  if (!/^\d/.test(last)) return null;
  const before = segments.at(-2) ?? '';
  const first = segments.at(-3) ?? '';
  const written = last.includes('-') ? DATE.exec(last)?.[1] : undefined;
  if (written !== undefined) return Number(written);
  const isCalendar = segments.some((segment) => CALENDAR.test(segment));
  const isYear = (text: string): boolean =>
    isCalendar ? /^\d{4,6}$/.test(text) : /^(?:19|20|21)\d\d$/.test(text);
  const isPart = (text: string, pattern: RegExp): boolean =>
    pattern.test(text) && (isCalendar || text.length === 2);
  if (isYear(before) && isPart(last, MONTH)) return Number(before);
  return isYear(first) && isPart(before, MONTH) && isPart(last, DAY) ? Number(first) : null;
}

function isNear(found: number, year: number): boolean {
  return found >= year - NEAR_PAST_YEARS && found <= year + NEAR_FUTURE_YEARS;
}

/** Reduces a segment to the part that identifies a kind of page: numbers and ids do not. */
function collapse(segment: string): string {
  if (/^[0-9a-f]{8,}$/i.test(segment) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(segment)) return '*';
  return segment.replace(/\d+/g, '#').slice(0, MAX_SEGMENT_CHARS);
}
const MAX_SEGMENT_CHARS = 60;
/** Kept in a database for each job, which takes no NUL; a decoded parameter may hold one. */
const MAX_SHAPE_CHARS = 300;

function sign(kind: keyof typeof MOST, url: URL, shape: string): TrapSign {
  const text = `${kind} ${url.host}/${shape}`.replaceAll('\0', '').slice(0, MAX_SHAPE_CHARS);
  return { shape: text, most: MOST[kind] };
}
