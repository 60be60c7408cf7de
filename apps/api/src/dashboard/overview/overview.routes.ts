import type { FastifyInstance } from 'fastify';
import { readBalance, usageByDay, type CreditBalance, type PoolBalance } from '@app/accounts';
import { definitions, type Definition } from '../html/definitions.js';
import { html, type Html } from '../html/html.js';
import { tenantSignedIn } from '../http/signed-in.js';
import { jobTable } from '../jobs/job-list.page.js';
import type { DashboardServices } from '../services.js';
import { notice, problem } from '../html/notice.js';
import { dayText, numberText, titled } from '../html/time-text.js';
import { dataTable } from '../html/data-table.js';

const CHART_DAYS = 30;
const SHOWN_JOBS = 5;

/** Balance, usage and recent jobs. */
export function overviewRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { runtime, pages, jobs } = services;
  scope.get('/dashboard', async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const onError = (err: unknown): void => runtime.log.warn({ err }, 'credits could not be read');
    const balance = await readBalance(runtime.database, tenant.id, { onError });
    const days = await usageByDay(runtime.database, tenant.id, CHART_DAYS);
    const list = await jobs.list(tenant);
    return pages.send(reply, {
      title: 'Overview',
      section: 'overview',
      content: html`${balance && creditFigures(tenant.plan, balance)}
        <section aria-labelledby="usage">
          <h2 id="usage">Credits of the last ${CHART_DAYS} days</h2>
          ${usageChart(days)}
        </section>
        <section aria-labelledby="recent">
          <h2 id="recent">Recent jobs</h2>
          ${jobTable(list.jobs.slice(0, SHOWN_JOBS))}
        </section>
        ${firstSteps(runtime.publicUrl, list.jobs.length === 0)}`,
    });
  });
}

function firstSteps(publicUrl: string, isNew: boolean): Html | false {
  if (!isNew) return false;
  const command = `curl ${publicUrl}/v1/scrape -H "x-api-key: $TRAWL_KEY" \\\n  -H 'content-type: application/json' -d '{"url":"https://example.com/"}'`;
  return html`<section aria-labelledby="first">
    <h2 id="first">Your first request</h2>
    <p>In the <a href="/dashboard/playground">playground</a>, or from a terminal:</p>
    <pre
      tabindex="0"
      role="region"
      aria-label="Your first request"
    ><code data-copy>${command}</code></pre>
  </section>`;
}

/** The month's balance and usage. */
export function creditFigures(plan: string, balance: CreditBalance): Html {
  const figures: readonly Definition[] = [
    ...(balance.state === 'unavailable' ? [] : figuresOf(balance)),
    ['Plan', html`<a href="/dashboard/plan">${titled(plan)}</a>`],
  ];
  return html`${stateNotice(balance)} ${definitions('figures panel', figures)}`;
}

function figuresOf(balance: CreditBalance): Definition[] {
  const { remaining, spent, granted, toppedUp, overage, enrich, kyb } = balance;
  return [
    ['Credits left', remaining === null ? 'Unlimited' : numberText(remaining)],
    ['Spent this month', numberText(spent)],
    ...(remaining === null ? [] : [['Granted this month', numberText(granted)] as const]),
    ...(toppedUp > 0 ? [['Of top-ups', numberText(toppedUp)] as const] : []),
    ...(overage > 0 ? [['Beyond the grant', numberText(overage)] as const] : []),
    ...poolFigure('Enrich credits left', enrich),
    ...poolFigure('KYB credits left', kyb),
  ];
}

/** Balance and grant of another pool; nothing for a pool that is empty or unlimited. */
function poolFigure(title: string, { granted, toppedUp, remaining }: PoolBalance): Definition[] {
  if (remaining === null || granted + toppedUp === 0) return [];
  const topUps = toppedUp > 0 ? `, ${numberText(toppedUp)} of top-ups` : '';
  return [
    [
      title,
      html`${numberText(remaining)} <small>of ${numberText(granted)} granted${topUps}</small>`,
    ],
  ];
}

function stateNotice({ state }: CreditBalance): Html | false {
  switch (state) {
    case 'ok':
      return false;
    case 'grant_pending':
      return notice(
        'The credits of this month are granted when the payment of the plan has arrived.',
      );
    case 'grant_failed':
      return problem('The payment of the plan failed: the credits of this month are withheld.');
    case 'reconciling':
      return notice('The balance is being checked against the credit ledger.');
    case 'unavailable':
      return problem('Credits cannot be read now.');
  }
}

/** Units of the drawing; the page stretches it to its width. */
const WIDTH = 600;
const HEIGHT = 160;
/** Share of a day's width that stays empty. */
const GAP = 0.3;
/** Smaller bars are drawn this high, or they would be invisible. */
const LEAST_HEIGHT = 2;

type UsageDay = Awaited<ReturnType<typeof usageByDay>>[number];

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
