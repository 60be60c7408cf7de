import type { PullView } from '../../connectors/pull.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';

/** The newest pulls, each with its rows as a file. */
export function pullTable(pulls: readonly PullView[]): Html {
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
