import type { UsageDay } from '@app/accounts';
import { dataTable } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import { dayText, numberText } from '../html/time-text.js';

/** Units of the drawing; the page stretches it to its width. */
const WIDTH = 600;
const HEIGHT = 160;
/** Share of a day's width that stays empty. */
const GAP = 0.3;
/** Smaller bars are drawn this high, or they would be invisible. */
const LEAST_HEIGHT = 2;

/** Credits per day as bars, and as a table for screen readers. */
export function usageChart(days: readonly UsageDay[]): Html {
  const top = roundedUp(Math.max(0, ...days.map(({ credits }) => credits)));
  return html`<figure class="chart">
      <div class="plot">
        <span class="scale" aria-hidden="true"
          ><span>${numberText(top)}</span><span>${numberText(top / 2)}</span><span>0</span></span
        >
        <svg
          viewBox="0 0 ${WIDTH} ${HEIGHT}"
          preserveAspectRatio="none"
          role="img"
          aria-label="${summaryOf(days)}"
        >
          ${[0, HEIGHT / 2, HEIGHT].map(
            (y) => html`<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" class="grid" />`,
          )}
          ${days.map((day, index) => bar(day, { index, count: days.length, top }))}
        </svg>
        <span class="days" aria-hidden="true">
          ${endsOf(days).map(({ day }) => html`<span>${dayText(day)}</span>`)}
        </span>
      </div>
    </figure>
    <details>
      <summary>As a table</summary>
      ${table(days)}
    </details>`;
}

interface Place {
  readonly index: number;
  readonly count: number;
  readonly top: number;
}

function bar({ day, credits, calls }: UsageDay, { index, count, top }: Place): Html | false {
  if (credits === 0) return false;
  const step = WIDTH / count;
  const height = Math.max(LEAST_HEIGHT, (credits / top) * HEIGHT);
  return html`<rect
    class="bar"
    x="${((index + GAP / 2) * step).toFixed(1)}"
    y="${(HEIGHT - height).toFixed(1)}"
    width="${(step * (1 - GAP)).toFixed(1)}"
    height="${height.toFixed(1)}"
  >
    <title>${dayText(day)}: ${numberText(credits)} credits, ${numberText(calls)} calls</title>
  </rect>`;
}

/** The next of 2, 4, 6, 8, 10, 20, 40, …: the middle of the scale is a whole number, too. */
export function roundedUp(credits: number): number {
  if (credits <= 2) return 2;
  const unit = 10 ** Math.floor(Math.log10(credits));
  const factor = [1, 2, 4, 6, 8, 10].find((one) => one * unit >= credits) ?? 10;
  return factor * unit;
}

function summaryOf(days: readonly UsageDay[]): string {
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  return `Credits of the last ${days.length} days, ${numberText(total)} in total. The table below has the figures.`;
}

function endsOf(days: readonly UsageDay[]): readonly UsageDay[] {
  const middle = days[Math.floor((days.length - 1) / 2)];
  return [days[0], middle, days.at(-1)].filter((day) => day !== undefined);
}

function table(days: readonly UsageDay[]): Html {
  return dataTable({
    caption: 'Credits per day, newest first',
    columns: [
      {
        title: 'Day (UTC)',
        cell: ({ day }) => html`<time datetime="${day}">${dayText(day)}</time>`,
      },
      { title: 'Credits', cell: ({ credits }) => numberText(credits), kind: 'number' },
      { title: 'Calls', cell: ({ calls }) => numberText(calls), kind: 'number' },
    ],
    rows: days.toReversed(),
    empty: 'No days.',
  });
}
