import { PAGE_STATES } from '@app/contracts';
import type { UrlReportEntry } from '@app/jobs';
import type { UrlReportEntries } from '../../jobs/results/url-report.service.js';
import { DEFAULT_URLS } from '../../jobs/results/parse-url-query.js';
import { dataTable, type Column } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { reasonText } from './page-reason.js';
import { ALL_STATES, MAX_SEARCH_CHARS, type ListQuery } from './parse-list-query.js';

/** The URL report of a job, by default the scraped pages: searchable, filterable, with a link to each result. */
export function resultListPage(list: UrlReportEntries, query: ListQuery): Page {
  const path = `/dashboard/jobs/${list.jobId}`;
  const { scraped, discovered } = list.counts;
  return {
    title: 'Results',
    lead: html`${numberText(scraped)} pages scraped of ${numberText(discovered)} URLs found, in the
    order they were found.`,
    section: 'jobs',
    back: { title: 'The job', path },
    content: html`${filter(path, query)}
      <div data-rows>
        ${dataTable({
          caption: 'URLs of the job',
          columns: columns(path),
          rows: list.entries,
          empty: emptyText(list),
        })}
        ${more(path, list, query)}
      </div>
      <p class="live" role="status" aria-live="polite" data-announce></p>`,
  };
}

function emptyText({ next }: UrlReportEntries): string {
  return next === null
    ? 'No URL matches.'
    : 'None of the URLs read so far match; there are more to read.';
}

function columns(path: string): readonly Column<UrlReportEntry>[] {
  return [
    {
      title: 'Address',
      cell: ({ url, resultNo }) =>
        resultNo === null ? webLink(url) : html`<a href="${path}/results/${resultNo}">${url}</a>`,
      kind: 'address',
    },
    {
      title: 'State',
      cell: ({ state, reason }) =>
        html`${stateBadge(state)}
        ${reason !== null && html`<span class="reason">${reasonText(state, reason)}</span>`}`,
    },
    { title: 'Answer', cell: ({ statusCode }) => statusCode ?? '–', kind: 'number' },
    { title: 'Fetched by', cell: ({ rung }) => rung ?? '–' },
    { title: 'Tries', cell: ({ attempts }) => attempts, kind: 'number' },
    { title: 'Time', cell: ({ latencyMs }) => durationText(latencyMs), kind: 'number' },
  ];
}

function filter(path: string, { state, reason, search }: ListQuery): Html {
  const options = [ALL_STATES, ...PAGE_STATES].map(
    (one) =>
      html`<option value="${one}" ${one === (state ?? ALL_STATES) && html`selected`}>
        ${one}
      </option>`,
  );
  return html`<form class="panel inline" method="get" action="${path}/results" role="search">
    <p class="field grows">
      <label for="q">URL contains</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${search}"
        maxlength="${MAX_SEARCH_CHARS}"
        autocomplete="off"
        spellcheck="false"
      />
    </p>
    <p class="field">
      <label for="state">State</label>
      <select id="state" name="state">
        ${options}
      </select>
    </p>
    <p class="field">
      <label for="reason">Reason</label>
      <input id="reason" name="reason" value="${reason}" maxlength="64" autocomplete="off" />
    </p>
    <p class="actions"><button class="primary">Search</button></p>
  </form>`;
}

/** Link to the next part; the script appends that part here instead. */
function more(path: string, { next }: UrlReportEntries, query: ListQuery): Html {
  const { state, reason, search, most } = query;
  const limit = most === DEFAULT_URLS ? null : String(most);
  const parts = { q: search, state: state ?? ALL_STATES, reason, limit, cursor: next };
  const set = Object.entries(parts).filter((part): part is [string, string] => part[1] !== null);
  return html`<nav class="pager" aria-label="More addresses">
    ${
      next !== null &&
      html`<a
        class="button"
        href="${path}/results?${new URLSearchParams(set).toString()}"
        rel="next"
        data-more
        >More</a
      >`
    }
  </nav>`;
}
