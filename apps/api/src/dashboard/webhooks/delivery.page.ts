import type { DeliveryView } from '../../jobs/webhooks/webhook.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { durationText, timeText } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';

/** One webhook with its attempts. */
export function deliveryPage(
  session: SignedIn | undefined,
  delivery: DeliveryView,
  message: Piece,
): Page {
  const { id, jobId, feedId = '', event, url, state, attempts } = delivery;
  return {
    title: event,
    section: 'webhooks',
    back: { title: 'Webhooks', path: '/dashboard/webhooks' },
    content: html`${message}
      <form class="panel" method="post" action="/dashboard/webhooks/${id}/redeliver">
        ${formToken(session)}
        <dl class="facts">
          <div>
            <dt>State</dt>
            <dd>${stateBadge(state)}</dd>
          </div>
          <div>
            <dt>To</dt>
            <dd>${url}</dd>
          </div>
          <div>
            <dt>${jobId === null ? 'Feed' : 'Job'}</dt>
            <dd>
              ${jobId === null ? feedId : html`<a href="/dashboard/jobs/${jobId}">${jobId}</a>`}
            </dd>
          </div>
          <div>
            <dt>Next try</dt>
            <dd>${timeText(delivery.next_attempt_at, 'none')}</dd>
          </div>
          <div>
            <dt>Id</dt>
            <dd><code>${id}</code></dd>
          </div>
        </dl>
        <p class="actions"><button>Send it again</button></p>
      </form>
      <section aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        ${dataTable({
          caption: 'Attempts, oldest first',
          columns: [
            { title: 'No.', cell: ({ no }) => no, kind: 'number' },
            { title: 'At', cell: ({ at }) => timeText(at) },
            { title: 'Status', cell: ({ status }) => status ?? '–', kind: 'number' },
            { title: 'Problem', cell: ({ error }) => error ?? 'none' },
            { title: 'Time', cell: ({ ms }) => durationText(ms), kind: 'number' },
            { title: 'Response', cell: ({ answer }) => answer ?? '–', kind: 'address' },
          ],
          rows: attempts,
          empty: 'None yet.',
        })}
      </section>`,
  };
}
