import { nextTick, scheduleProblem, shortestGapMinutes } from './schedule.js';

const DAY_MS = 86_400_000;
const START = new Date('2026-01-01T00:00:00Z');
const END = new Date('2027-01-01T00:00:00Z');

/** All ticks of 2026. */
function ticksOf(cron: string, timeZone: string): Date[] {
  const ticks: Date[] = [];
  for (
    let at = nextTick({ cron, timeZone }, START);
    at < END;
    at = nextTick({ cron, timeZone }, at)
  )
    ticks.push(at);
  return ticks;
}

describe('the ticks of a schedule', () => {
  /** Summer time begins and ends at these; Lord Howe moves its clocks by half an hour. */
  it.each<[string, string, string, readonly string[]]>([
    [
      'Europe/Berlin',
      '30 2 * * *',
      'Europe',
      ['2026-03-29T01:00:00.000Z', '2026-10-25T00:30:00.000Z'],
    ],
    [
      'America/New_York',
      '30 1 * * *',
      'America',
      ['2026-03-08T06:30:00.000Z', '2026-11-01T05:30:00.000Z'],
    ],
    [
      'Australia/Lord_Howe',
      '15 2 * * *',
      'Lord Howe',
      ['2026-10-03T15:30:00.000Z', '2026-04-04T15:45:00.000Z'],
    ],
  ])('come once a day over a year in %s', (timeZone, cron, _name, atChanges) => {
    const ticks = ticksOf(cron, timeZone);
    const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    const days = ticks.map((tick) => dayOf.format(tick));
    expect(new Set(days).size).toBe(days.length);
    expect(ticks.length).toBeGreaterThanOrEqual(364);
    const gaps = ticks.slice(1).map((tick, at) => tick.getTime() - (ticks[at]?.getTime() ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(DAY_MS - 3_600_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(DAY_MS + 3_600_000);
    const texts = ticks.map((tick) => tick.toISOString());
    expect(texts).toEqual(expect.arrayContaining([...atChanges]));
  });

  it('keep the wall clock on both sides of a change', () => {
    const timeZone = 'Europe/Berlin';
    const hours = ticksOf('0 7 * * *', timeZone).map((tick) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(tick),
    );
    expect(new Set(hours)).toEqual(new Set(['07:00']));
  });

  it.each<[string, string, RegExp | null]>([
    ['0 7 * * 1-5', 'UTC', null],
    ['*/15 9-17 * * MON-FRI', 'America/New_York', null],
    ['0 0 29 2 *', 'UTC', null],
    ['0 0 31 1-12/2 *', 'UTC', null],
    ['0 0 30 2 1', 'UTC', null],
    ['0 0 30 2 *', 'UTC', /no month has/],
    ['0 0 31 feb,apr *', 'UTC', /no month has/],
    ['0 7 * *', 'UTC', /five fields/],
    ['* * * * * *', 'UTC', /five fields/],
    ['@daily', 'UTC', /five fields/],
    ['0 0 L * *', 'UTC', /five fields/],
    ['61 * * * *', 'UTC', /no cron expression/],
    [`${'0,'.repeat(60)}0 0 * * *`, 'UTC', /longer than 100/],
    ['0 7 * * *', 'Mars/Base', /time zone/],
    ['0 7 * * *', '+01:00', /time zone/],
  ])('are checked: %s, %s', (cron, timeZone, problem) => {
    const found = scheduleProblem({ cron, timeZone });
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  it.each<[string, number]>([
    ['* * * * *', 1],
    ['*/5 9 * * *', 5],
    ['0,10 0 * * *', 10],
    ['0 7 * * *', 1_440],
  ])('have a shortest gap: %s', (cron, minutes) => {
    expect(shortestGapMinutes({ cron, timeZone: 'UTC' }, START)).toBe(minutes);
  });
});
