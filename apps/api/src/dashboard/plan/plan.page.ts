import { PLAN_LIMITS, PLANS, type Overage, type Plan } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import { dataTable, type Column } from '../html/data-table.js';
import { definitions } from '../html/definitions.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { numberText, titled } from '../html/time-text.js';

type PlanLimits = (typeof PLAN_LIMITS)[Plan];

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
    cell: ({ monthlyCredits }) => grantText(monthlyCredits),
    kind: 'number',
  },
  {
    title: 'Enrich credits a month',
    cell: ({ enrichCredits }) => grantText(enrichCredits),
    kind: 'number',
  },
  {
    title: 'KYB credits a month',
    cell: ({ kybCredits }) => grantText(kybCredits),
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
];
const SEARCH_COLUMN: Column<PlanRow> = {
  title: 'Search',
  cell: ({ hasSearch }) => (hasSearch ? 'yes' : 'no'),
};

/** The data of the page. */
interface PlanPageOptions {
  /** How the plan is changed. */
  readonly billing: Piece;
  /** Whether the search endpoint is served: plans are compared only by available features. */
  readonly hasSearch: boolean;
}

/** The limits of an account: those of its plan, replaced by agreed ones. */
export function ownLimits({ plan, agreed }: PlanHolder): readonly OwnLimit[] {
  const limits = PLAN_LIMITS[plan];
  const ownFigure = (own: number | null, usual: number | null): Omit<OwnLimit, 'title'> => ({
    value: numberOr(own ?? usual, 'unlimited'),
    isAgreed: own !== null && own !== usual,
  });
  return [
    { title: 'Credits a month', ...ownFigure(agreed.monthlyCredits, limits.monthlyCredits) },
    {
      title: 'Requests a minute',
      ...ownFigure(agreed.requestsPerMinute, limits.requestsPerMinute),
    },
    {
      title: 'Concurrent calls',
      ...ownFigure(agreed.concurrentRequests, limits.concurrentRequests),
    },
    { title: 'Screenshots a day', ...ownFigure(null, limits.screenshotsPerDay) },
    { title: 'Pages of crawls at a time', ...ownFigure(null, limits.crawlConcurrency) },
    { title: 'Links of one map', ...ownFigure(null, limits.mapLinks) },
  ];
}

export interface OwnLimit {
  readonly title: string;
  readonly value: string;
  /** Differs from the plan's figure. */
  readonly isAgreed: boolean;
}

type PlanHolder = Pick<Tenant, 'plan' | 'agreed'>;

function numberOr(figure: number | null, none: string): string {
  return figure === null ? none : numberText(figure);
}

function limitFigures(holder: PlanHolder): Html {
  return html`<section class="panel" aria-labelledby="limits">
    <h2 id="limits">Your limits</h2>
    ${definitions(
      'figures',
      ownLimits(holder).map(({ title, value, isAgreed }) => [
        html`${title}${isAgreed && html` <span class="tag">agreed</span>`}`,
        value,
      ]),
    )}
  </section>`;
}

export function planPage(holder: PlanHolder, { billing, hasSearch }: PlanPageOptions): Page {
  const { plan: current } = holder;
  return {
    title: 'Plan',
    lead: html`Your plan is <strong>${titled(current)}</strong>.`,
    section: 'plan',
    content: html`${limitFigures(holder)} ${billing}
      <section aria-labelledby="plans">
        <h2 id="plans">All plans</h2>
        ${dataTable({
          caption: 'Plans and their limits',
          columns: hasSearch ? [...COLUMNS, SEARCH_COLUMN] : COLUMNS,
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

function grantText(credits: number | null): string {
  return credits === null ? 'as agreed' : numberText(credits);
}

function overageText(overage: Overage | 'agreed' | null): string {
  if (overage === null) return 'refused';
  if (overage === 'agreed') return 'as agreed';
  return `${dollars(overage.priceUsd)} for ${numberText(overage.credits)}`;
}

function dollars(usd: number): string {
  return `$${numberText(usd)}`;
}
