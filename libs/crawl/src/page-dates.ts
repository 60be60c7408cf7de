/** A W3C date, as sitemaps have it (NOTE-datetime): any precision, and the zone is often forgotten. */
const W3C_DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;
/** IMF-fixdate of `Last-Modified` (RFC 9110 5.6.7), and what RFC 5322 allows beside it. */
const MAIL_DATE =
  /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|Z|[+-]\d{4})$/i;
/** Of a request: a day, or an instant with its zone. */
const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;
const MAX_DATE_CHARS = 64;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** What is local is at most so much later in UTC. */
const WESTERNMOST_MS = 12 * 60 * MINUTE_MS;

/** The instant that a caller names, a day being its begin in UTC, as ISO 8601 in UTC; null: it is none. */
export function parseInstant(text: string): string | null {
  const day = INSTANT.exec(text)?.[1];
  // `Date` takes the 31st of any month.
  if (day === undefined || !isDay(day)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/**
 * Whether a page was last modified before an instant, by a date that its site names. What the date leaves open (the time of
 * the day, the zone, the part of a second) counts as the latest that it may be. Without a date, or one that is none: false.
 */
export function isOlder(date: string | undefined, instant: string): boolean {
  const latest = date === undefined ? null : latestInstant(date);
  return latest !== null && latest < Date.parse(instant);
}

/** Epoch milliseconds; null: no date. */
function latestInstant(text: string): number | null {
  if (text.length > MAX_DATE_CHARS) return null;
  if (MAIL_DATE.test(text)) return numberOrNull(Date.parse(text) + SECOND_MS - 1);
  const [, year, month, day, hour, minute, second, zone] = W3C_DATE.exec(text) ?? [];
  if (year === undefined) return null;
  if (!isWithin(month, 1, 12) || !isWithin(day, 1, 31) || !isWithin(hour, 0, 24)) return null;
  if (!isWithin(minute, 0, 59) || !isWithin(second, 0, 60)) return null;
  const end = endOf([year, month, day, hour, minute, second]);
  return numberOrNull(end - 1 + (zone === undefined ? WESTERNMOST_MS : -offsetMs(zone)));
}

function isWithin(part: string | undefined, least: number, most: number): boolean {
  return part === undefined || (Number(part) >= least && Number(part) <= most);
}

/** Begin of the year, month … second after the one that is named, as if it were UTC. */
function endOf(parts: readonly (string | undefined)[]): number {
  const named = parts.filter((part) => part !== undefined).map(Number);
  const next = named.map((part, at) => (at === named.length - 1 ? part + 1 : part));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = next;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function offsetMs(zone: string): number {
  if (/z/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

function numberOrNull(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
