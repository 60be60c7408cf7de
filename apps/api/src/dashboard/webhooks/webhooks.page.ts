import type { DeliveryList, DeliveryView, SecretView } from '../../jobs/webhooks/webhook.dto.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { timeText } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';

export interface WebhooksPageParts {
  readonly session: SignedIn | undefined;
  readonly list: DeliveryList;
  /** Null: no secret exists yet. */
  readonly secret: SecretView | null;
  readonly message?: Piece;
}

export function webhooksPage({ session, list, secret, message }: WebhooksPageParts): Page {
  return {
    title: 'Webhooks',
    lead: 'Webhooks sent when your jobs ended, with the responses of the receivers.',
    section: 'webhooks',
    content: html`${message}
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        ${deliveryTable(list.deliveries)}
        <nav class="pager" aria-label="Pages of deliveries">
          ${
            list.next !== null &&
            html`<a class="button" href="/dashboard/webhooks?cursor=${list.next}" rel="next"
              >Older</a
            >`
          }
        </nav>
      </section>
      ${secretSection(session, secret)}`,
  };
}

function deliveryTable(deliveries: readonly DeliveryView[]): Html {
  return dataTable({
    caption: 'Webhooks, newest first',
    columns: [
      {
        title: 'Event',
        cell: ({ id, event }) => html`<a href="/dashboard/webhooks/${id}">${event}</a>`,
      },
      { title: 'To', cell: ({ url }) => url, kind: 'address' },
      { title: 'State', cell: ({ state }) => stateBadge(state) },
      { title: 'Tries', cell: ({ attempt_count: count }) => count, kind: 'number' },
      { title: 'Last answer', cell: lastAnswer },
      { title: 'Job ended', cell: ({ created_at: at }) => timeText(at) },
    ],
    rows: deliveries,
    empty: 'No webhooks yet. A job started with `webhook` sends one when it ends.',
  });
}

function lastAnswer({ last_status: status, last_error: error }: DeliveryView): Piece {
  return [status, error].filter((part) => part !== null).join(', ') || '–';
}

function secretSection(session: SignedIn | undefined, secret: SecretView | null): Html {
  return html`<section aria-labelledby="secret">
    <h2 id="secret">Signing secret</h2>
    <form class="panel" method="post" action="/dashboard/webhooks/secret">
      ${formToken(session)} ${secretState(secret)}
      <p class="actions"><button>Show a new secret</button></p>
    </form>
  </section>`;
}

function secretState(secret: SecretView | null): Html {
  if (!secret) return html`<p>None yet: the first webhook, or this button, creates one.</p>`;
  return html`<p>
      Webhooks are signed with <code>${secret.prefix}…</code>, made ${timeText(secret.created_at)}.
    </p>
    ${secret.previous.map(
      ({ prefix, expires_at: until }) =>
        html`<p>
          <code>${prefix}…</code>, the one before, signs beside it until ${timeText(until)}.
        </p>`,
    )}
    <p class="hint">
      A new secret signs from now on; the old one keeps signing too for 24 hours, so that you can
      replace it.
    </p>`;
}

export function shownSecret(secret: string): Html {
  return html`<section class="panel shown-key" aria-labelledby="shown-secret-title">
    <h2 id="shown-secret-title">Your signing secret</h2>
    <p>Copy it now: it is not shown again.</p>
    <p class="copyable"><code data-copy>${secret}</code></p>
  </section>`;
}
