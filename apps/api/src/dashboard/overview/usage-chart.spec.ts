import { roundedUp, usageChart } from './overview.routes.js';

const day = (n: number, credits: number) => ({
  day: `2026-03-${String(n).padStart(2, '0')}`,
  credits,
  calls: credits,
});

describe('the credit chart', () => {
  it.each([
    [0, 2],
    [1, 2],
    [3, 4],
    [5, 6],
    [9, 10],
    [10, 10],
    [11, 20],
    [41, 60],
    [100, 100],
    [101, 200],
    [999_999, 1_000_000],
  ])('of at most %i credits goes up to %i', (credits, top) => {
    expect(roundedUp(credits)).toBe(top);
  });

  it('draws a bar for each day with usage, in proportion', () => {
    const chart = usageChart([day(1, 0), day(2, 5), day(3, 10)]).toString();
    const heights = [...chart.matchAll(/ height="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(heights).toEqual([80, 160]);
    expect(chart).toContain('<title>2 Mar: 5 credits, 5 calls</title>');
  });

  it('draws the smallest day visibly', () => {
    const chart = usageChart([day(1, 1), day(2, 1_000_000)]).toString();
    expect(chart).toContain('height="2.0"');
  });

  it('shows every day in a table', () => {
    const days = Array.from({ length: 30 }, (_, n) => day(n + 1, n));
    const chart = usageChart(days).toString();
    const cells = [...chart.matchAll(/data-title="Credits">\s*<div>(\d+)<\/div>/g)];
    expect(cells.map((match) => Number(match[1]))).toEqual(
      days.map(({ credits }) => credits).toReversed(),
    );
    expect(chart).toContain('aria-label="Credits of the last 30 days, 435 in total.');
  });

  it('is styled by classes only', () => {
    expect(usageChart([day(1, 3)]).toString()).not.toMatch(/ style=/);
  });
});
