import { Cron } from 'croner';

/** A cron expression with the time zone that its times are in. */
export interface Schedule {
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

const MAX_CRON_CHARS = 100;
const MAX_ZONE_CHARS = 64;
/** Lists, ranges, steps and names of five fields. Dates such as "last Friday" are left out: their search has no bound. */
const FIELDS = /^[\dA-Z*/,-]+(?: [\dA-Z*/,-]+){4}$/i;
const ZONE = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Ticks that the shortest gap is measured over: more than a week of a schedule by the half hour. */
const MEASURED_TICKS = 400;

/** Why a schedule cannot be used; null: it can. */
export function scheduleProblem({ cron, timeZone }: Schedule): string | null {
  if (cron.length > MAX_CRON_CHARS)
    return `\`schedule\` is longer than ${MAX_CRON_CHARS} characters`;
  const fields = normalized(cron);
  if (!FIELDS.test(fields) || !areNames(fields))
    return '`schedule` must be a cron expression of five fields, such as `0 7 * * 1-5`';
  if (timeZone.length > MAX_ZONE_CHARS || !ZONE.test(timeZone) || !isZone(timeZone))
    return '`timeZone` must be an IANA time zone, such as Europe/Berlin';
  try {
    void cronOf({ cron, timeZone });
  } catch (error) {
    return `\`schedule\` is no cron expression: ${(error as Error).message}`;
  }
  return isNever(fields) ? '`schedule` names a day that no month has' : null;
}

/**
 * The first tick after a moment. A time that the change to summer time leaves out runs when the clock has changed; one that
 * comes twice runs once, the first time.
 * @throws Error if the schedule has a problem
 */
export function nextTick(schedule: Schedule, after: Date): Date {
  const tick = cronOf(schedule).nextRun(after);
  if (tick === null) throw new Error(`the schedule ${schedule.cron} has no further tick`);
  return tick;
}

/** Minutes of the shortest time between two ticks, as far as the next ones show. */
export function shortestGapMinutes(schedule: Schedule, from: Date): number {
  const cron = cronOf(schedule);
  let shortest = Infinity;
  let before = cron.nextRun(from);
  for (let n = 1; n < MEASURED_TICKS && before !== null; n++) {
    const next = cron.nextRun(before);
    if (next === null) break;
    shortest = Math.min(shortest, (next.getTime() - before.getTime()) / 60_000);
    before = next;
    // No gap is shorter, and ticks by the minute would be measured for nothing.
    if (shortest <= 1) break;
  }
  return shortest;
}

function cronOf({ cron, timeZone }: Schedule): Cron {
  return new Cron(normalized(cron), { timezone: timeZone, mode: '5-part', paused: true });
}

function normalized(cron: string): string {
  return cron.trim().replace(/[ \t]+/g, ' ');
}

/** Other letters, such as L for the last day, are extensions. */
function areNames(fields: string): boolean {
  const names = fields.toLowerCase().match(/[a-z]+/g) ?? [];
  return names.every((name) => MONTHS.includes(name) || WEEKDAYS.includes(name));
}

function isZone(name: string): boolean {
  try {
    void new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether the days and months exclude each other: 30 February. The search for it would hold up the process. */
function isNever(fields: string): boolean {
  const [, , days = '*', months = '*', weekdays = '*'] = fields.split(' ');
  if (weekdays !== '*' || days.includes('*')) return false;
  const firstDay = Math.min(...days.split(',').map((part) => parseInt(part, 10)));
  if (firstDay <= 29) return false;
  const longest = firstDay === 30 ? [2] : [2, 4, 6, 9, 11];
  return monthsOf(months).every((month) => longest.includes(month));
}

function monthsOf(field: string): readonly number[] {
  return field.split(',').flatMap((part) => {
    const [range = '*', step = '1'] = part.split('/');
    const [from, to] = range === '*' ? [1, 12] : boundsOf(range, part.includes('/'));
    const by = Math.max(1, Number(step));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n).filter(
      (month) => (month - from) % by === 0,
    );
  });
}

function boundsOf(range: string, isOpen: boolean): readonly [number, number] {
  const [from = 1, to] = range.split('-').map(monthOf);
  return [from, Math.min(12, to ?? (isOpen ? 12 : from))];
}

function monthOf(name: string): number {
  const at = MONTHS.indexOf(name.toLowerCase());
  return at === -1 ? Number(name) : at + 1;
}
