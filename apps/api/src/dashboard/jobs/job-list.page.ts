import type { JobSummary } from '../../jobs/job.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';

export function jobListPage(jobs: readonly JobSummary[], message: Piece): Page {
  return {
    title: 'Jobs',
    lead: 'The 20 most recent crawls, batches and extractions.',
    section: 'jobs',
    content: html`${message}
      <div data-job-states="/dashboard/jobs/states">${jobTable(jobs)}</div>
      <p class="live" role="status" aria-live="polite" data-announce></p>`,
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
