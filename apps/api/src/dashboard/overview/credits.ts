import { PLAN_LIMITS } from '@app/contracts';
import type { CreditBalance, Tenant } from '@app/store';
import { html, type Html, type Piece } from '../html/html.js';
import { problem } from '../html/notice.js';
import { numberText } from '../html/time-text.js';
import { titled } from '../jobs/job.page.js';

/** What was spent of the month, and what the plan brings. */
export function creditFigures({ plan, agreed }: Tenant, { state, spent }: CreditBalance): Html {
  const monthly = agreed.monthlyCredits ?? PLAN_LIMITS[plan].monthlyCredits;
  const isUnread = state === 'unavailable';
  const figures: readonly (readonly [string, Piece])[] = [
    ['Spent this month', isUnread ? '–' : numberText(spent)],
    ['Credits a month', monthly === null ? 'No bound' : numberText(monthly)],
    ['Plan', html`<a href="/dashboard/plan">${titled(plan)}</a>`],
  ];
  return html`${isUnread && problem('What was spent cannot be read just now.')}
    <dl class="figures panel">
      ${figures.map(
        ([title, value]) =>
          html`<div>
            <dt>${title}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>`;
}
