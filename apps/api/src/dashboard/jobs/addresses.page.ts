import { PAGE_STATES } from '@app/contracts';
import type { LedgerEntryView, LedgerPage } from '../../results/ledger.dto.js';
import type { ParsedLedgerQuery } from '../../results/parse-ledger-query.js';
import { dataTable, type Column } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';

const COLUMNS: readonly Column<LedgerEntryView>[] = [
  { title: 'Address', cell: ({ url }) => webLink(url), kind: 'address' },
  {
    title: 'State',
    cell: ({ state, reason }) =>
      html`${stateBadge(state)} ${reason !== null && html`<span class="reason">${reason}</span>`}`,
  },
  { title: 'Answer', cell: ({ status_code: status }) => status ?? '–', kind: 'number' },
  { title: 'Fetched by', cell: ({ rung }) => rung ?? '–' },
  { title: 'Tries', cell: ({ attempts }) => attempts, kind: 'number' },
  { title: 'Time', cell: ({ ms }) => durationText(ms), kind: 'number' },
];

/** What a job did with every address it met, and why. */
export function addressesPage(ledger: LedgerPage, query: ParsedLedgerQuery): Page {
  const path = `/dashboard/jobs/${ledger.id}`;
  return {
    title: 'Every address',
    lead: html`${numberText(ledger.discovered)} addresses, in the order they were met.`,
    section: 'jobs',
    back: { title: 'The job', path },
    content: html`${filter(path, query)}
    ${dataTable({
      caption: 'Addresses of the job',
      columns: COLUMNS,
      rows: ledger.urls,
      empty:
        ledger.next === null
          ? 'No address fits.'
          : 'None of those looked at fits; there are more to look at.',
    })}
    ${pager(path, ledger, query)}`,
  };
}

function filter(path: string, { state, reason }: ParsedLedgerQuery): Html {
  return html`<form class="panel inline" method="get" action="${path}/addresses">
    <p class="field">
      <label for="state">State</label>
      <select id="state" name="state">
        <option value="">All</option>
        ${PAGE_STATES.map(
          (one) => html`<option value="${one}" ${one === state && html`selected`}>${one}</option>`,
        )}
      </select>
    </p>
    <p class="field">
      <label for="reason">Reason</label>
      <input id="reason" name="reason" value="${reason}" maxlength="64" autocomplete="off" />
    </p>
    <p class="actions"><button>Show</button></p>
  </form>`;
}

function pager(path: string, { next }: LedgerPage, query: ParsedLedgerQuery): Html {
  const to = (cursor: string | null): string => {
    const { state, reason } = query;
    const parts = Object.entries({ state, reason, cursor });
    const set = parts.filter((part): part is [string, string] => part[1] !== null);
    return `${path}/addresses?${new URLSearchParams(set).toString()}`;
  };
  return html`<nav class="pager" aria-label="Pages of addresses">
    ${query.after > 0n && html`<a class="button" href="${to(null)}">From the start</a>`}
    ${next !== null && html`<a class="button" href="${to(next)}" rel="next">Next</a>`}
  </nav>`;
}
