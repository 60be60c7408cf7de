import { PLAN_LIMITS, PLANS, type Overage, type Plan, type PlanLimits } from '@app/contracts';
import { dataTable, type Column } from '../html/data-table.js';
import { html, type Piece } from '../html/html.js';
import { titled } from '../jobs/job.page.js';
import type { Page } from '../html/page.js';
import { numberText } from '../html/time-text.js';

interface PlanRow extends PlanLimits {
  readonly plan: Plan;
  readonly isCurrent: boolean;
}

const COLUMNS: readonly Column<PlanRow>[] = [
  {
    title: 'Plan',
    cell: ({ plan, isCurrent }) =>
      html`<strong>${titled(plan)}</strong>${isCurrent && html` <span class="tag">yours</span>`}`,
  },
  {
    title: 'A month',
    cell: ({ priceMonthUsd: usd }) => (usd === null ? 'as agreed' : dollars(usd)),
    kind: 'number',
  },
  {
    title: 'Credits a month',
    cell: ({ monthlyCredits: credits }) => (credits === null ? 'as agreed' : numberText(credits)),
    kind: 'number',
  },
  { title: 'Beyond them', cell: ({ overage }) => overageText(overage) },
  {
    title: 'Requests a minute',
    cell: ({ requestsPerMinute }) => numberText(requestsPerMinute),
    kind: 'number',
  },
  {
    title: 'Concurrent calls',
    cell: ({ concurrentRequests: most }) => (most === null ? 'unlimited' : numberText(most)),
    kind: 'number',
  },
  {
    title: 'Screenshots a day',
    cell: ({ screenshotsPerDay }) => numberText(screenshotsPerDay),
    kind: 'number',
  },
  { title: 'Search', cell: ({ hasSearch }) => (hasSearch ? 'yes' : 'no') },
];

/** @param billing how the plan is changed here */
export function planPage(current: Plan, billing: Piece): Page {
  return {
    title: 'Plan',
    lead: html`Your plan is <strong>${titled(current)}</strong>.`,
    section: 'plan',
    content: html`${billing}
      <section aria-labelledby="plans">
        <h2 id="plans">All plans</h2>
        ${dataTable({
          caption: 'Plans and their limits',
          columns: COLUMNS,
          rows: PLANS.map((plan) => ({
            ...PLAN_LIMITS[plan],
            plan,
            isCurrent: plan === current,
          })),
          empty: '',
          rowData: ({ isCurrent }) => html`${isCurrent && html`aria-current="true"`}`,
        })}
      </section>`,
  };
}

function overageText(overage: Overage | 'agreed' | null): string {
  if (overage === null) return 'refused';
  if (overage === 'agreed') return 'as agreed';
  return `${dollars(overage.priceUsd)} for ${numberText(overage.credits)}`;
}

function dollars(usd: number): string {
  return `$${numberText(usd)}`;
}
