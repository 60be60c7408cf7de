import type { PullView } from '../../connectors/pull.dto.js';
import type { FeedView } from '../../feeds/feeds.dto.js';
import type { JobSummary } from '../../jobs/job.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';

export function jobListPage(
  jobs: readonly JobSummary[],
  { pulls, feeds }: { readonly pulls: readonly PullView[]; readonly feeds: readonly FeedView[] },
  message: Piece,
): Page {
  return {
    title: 'Jobs',
    lead: 'The 20 most recent crawls, batches and extractions.',
    section: 'jobs',
    content: html`${message}
      <div data-job-states="/dashboard/jobs/states">${jobTable(jobs)}</div>
      <p class="live" role="status" aria-live="polite" data-announce></p>
      ${pullTable(pulls)} ${feedTable(feeds)}`,
  };
}

export function jobTable(jobs: readonly JobSummary[]): Html {
  return dataTable({
    caption: 'Jobs, newest first',
    columns: [
      {
        title: 'Start',
        cell: ({ id, url }) => html`<a href="/dashboard/jobs/${id}">${url}</a>`,
        kind: 'address',
      },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'State', cell: ({ status }) => stateBadge(status) },
      {
        title: 'Pages',
        cell: ({ pages_scraped: pages }) =>
          html`<span data-count="scraped">${numberText(pages)}</span>`,
        kind: 'number',
      },
      { title: 'Begun', cell: ({ created_at: at }) => timeText(at) },
    ],
    rows: jobs,
    empty: html`No jobs yet. <a href="/dashboard/playground/startCrawl">Start a crawl</a>`,
    rowData: ({ id }) => html`data-job="${id}"`,
  });
}

/** The newest pulls, each with its rows as a file. */
function pullTable(pulls: readonly PullView[]): Html {
  return html`<section aria-labelledby="pulls">
    <h2 id="pulls">Pulls</h2>
    ${dataTable({
      caption: 'Pulls, newest first',
      columns: [
        {
          title: 'Connector',
          cell: ({ jobId, connectorId }) =>
            html`<a href="/dashboard/pulls/${jobId}/rows.csv" download>${connectorId} (CSV)</a>`,
        },
        { title: 'State', cell: ({ status }) => stateBadge(status) },
        { title: 'Rows', cell: ({ total }) => numberText(total), kind: 'number' },
        { title: 'Credits', cell: ({ creditsUsed }) => numberText(creditsUsed), kind: 'number' },
        { title: 'Begun', cell: ({ createdAt }) => timeText(createdAt) },
      ],
      rows: pulls,
      empty: 'No pulls yet. POST /v1/preview shows the first rows of a connector.',
    })}
  </section>`;
}

/** All feeds, each with its rows as RSS, and why it paused itself. */
function feedTable(feeds: readonly FeedView[]): Html {
  return html`<section aria-labelledby="feeds">
    <h2 id="feeds">Feeds</h2>
    ${dataTable({
      caption: 'Feeds, newest first',
      columns: [
        {
          title: 'Connector',
          cell: ({ connectorId, addresses }) =>
            html`<a href="${new URL(addresses.rss).pathname}">${connectorId} (RSS)</a>`,
        },
        {
          title: 'State',
          cell: ({ status, pausedReason }) =>
            pausedReason === null
              ? stateBadge(status)
              : html`${stateBadge(status)} <span>${pausedReason}</span>`,
        },
        { title: 'Schedule', cell: ({ schedule, timeZone }) => `${schedule} (${timeZone})` },
        { title: 'Rows', cell: ({ total }) => numberText(total), kind: 'number' },
        { title: 'Next run', cell: ({ nextRunAt }) => timeText(nextRunAt, 'none') },
        { title: 'Last run', cell: ({ lastRunAt }) => timeText(lastRunAt, 'none') },
      ],
      rows: feeds,
      empty: 'No feeds yet. POST /v1/feeds watches a connector.',
    })}
  </section>`;
}
