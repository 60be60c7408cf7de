import type { CreditBalance, PoolBalance } from '@app/accounts';
import { html, type Html, type Piece } from '../html/html.js';
import { notice, problem } from '../html/notice.js';
import { numberText } from '../html/time-text.js';
import { titled } from '../jobs/job.page.js';

type Figure = readonly [string, Piece];

/** The month's balance and usage. */
export function creditFigures(plan: string, balance: CreditBalance): Html {
  const figures: readonly Figure[] = [
    ...(balance.state === 'unavailable' ? [] : figuresOf(balance)),
    ['Plan', html`<a href="/dashboard/plan">${titled(plan)}</a>`],
  ];
  return html`${stateNotice(balance)}
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

function figuresOf(balance: CreditBalance): Figure[] {
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
function poolFigure(title: string, { granted, toppedUp, remaining }: PoolBalance): Figure[] {
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
