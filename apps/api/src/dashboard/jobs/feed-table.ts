import type { FeedView } from '../../feeds/feeds.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';

/** All feeds, each with its rows as RSS, and why it paused itself. */
export function feedTable(feeds: readonly FeedView[]): Html {
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
