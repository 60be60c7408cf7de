import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { DeliveryQueryText } from '../../jobs/webhooks/parse-delivery-query.js';
import type { SecretView, DeliveryView, DeliveryList } from '../../jobs/webhooks/webhook.dto.js';
import { notice, noticeIn, problem } from '../html/notice.js';
import {
  goTo,
  idOf,
  requireFreshSession,
  signedInOf,
  tenantSignedIn,
  type SignedIn,
} from '../http/signed-in.js';
import { noteSecurityEvent } from '../../http/security-log.js';
import type { DashboardServices } from '../services.js';
import { dataTable } from '../html/data-table.js';
import { definitions } from '../html/definitions.js';
import { html, type Piece, type Html } from '../html/html.js';
import { rawText } from '../html/markdown-view.js';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { formField } from '../http/form-body.js';
import type { Note } from '../http/one-time-notes.js';
import { fieldNumber, fieldsIn, fieldText } from '../results/read-result.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { durationText, timeText } from '../html/time-text.js';

const PATH = '/dashboard/webhooks';

/** The delivery log of webhooks, and their signing secrets. */
export function webhookRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, webhooks } = services;
  scope.get(PATH, (request, reply) => list(services, request, reply));
  scope.post('/dashboard/webhooks/secret', async (request, reply) => {
    requireFreshSession(request);
    const { secret } = await webhooks.newSecret(tenantSignedIn(request));
    noteSecurityEvent(request, 'secret_made');
    services.notes.leave(reply, { path: PATH }, { secret });
    return goTo(reply, PATH);
  });
  scope.post('/dashboard/webhooks/test', async (request, reply) => {
    const url = formField(request, 'url').trim();
    // By the API: limited like any other call.
    const { json } = await services.own.send(tenantSignedIn(request), {
      path: '/v1/webhooks/test',
      body: { url },
    });
    services.notes.leave(reply, { path: PATH }, testedNote(json));
    return goTo(reply, PATH);
  });
  scope.get('/dashboard/webhooks/:id', async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const delivery = await webhooks.view(tenant, idOf(request));
    const parts = { delivery, body: await webhooks.body(tenant, idOf(request)) };
    return pages.send(reply, deliveryPage(signedInOf(request), parts, noticeIn(request.query)));
  });
  scope.post('/dashboard/webhooks/:id/redeliver', async (request, reply) => {
    const { id } = await webhooks.redeliver(tenantSignedIn(request), idOf(request));
    return goTo(reply, `/dashboard/webhooks/${id}?done=redelivered`);
  });
}

async function list(
  services: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const note = services.notes.take(request, reply, PATH);
  const message = note && shownNote(note);
  const tenant = tenantSignedIn(request);
  const { cursor } = request.query as DeliveryQueryText;
  const found = await services.webhooks.list(tenant, { cursor });
  const secret = await secretOf(services, tenant);
  const session = signedInOf(request);
  return services.pages.send(reply, webhooksPage({ session, list: found, secret, message }));
}

async function secretOf(
  { webhooks }: DashboardServices,
  tenant: Tenant,
): Promise<SecretView | null> {
  return webhooks.secret(tenant).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'webhook_secret_not_found') return null;
    throw error;
  });
}

/** One webhook with its attempts. */
function deliveryPage(
  session: SignedIn | undefined,
  { delivery, body }: { readonly delivery: DeliveryView; readonly body: string },
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
        ${definitions('facts', [
          ['State', stateBadge(state)],
          ['To', url],
          jobId === null
            ? ['Feed', feedId]
            : ['Job', html`<a href="/dashboard/jobs/${jobId}">${jobId}</a>`],
          ['Next try', timeText(delivery.next_attempt_at, 'none')],
          ['Id', html`<code>${id}</code>`],
        ])}
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
      </section>
      <section aria-labelledby="body">
        <h2 id="body">The body</h2>
        ${rawText(readableJson(body), 'The body as JSON', true)}
      </section>`,
  };
}

interface WebhooksPageParts {
  readonly session: SignedIn | undefined;
  readonly list: DeliveryList;
  /** Null: no secret exists yet. */
  readonly secret: SecretView | null;
  readonly message?: Piece;
}

function webhooksPage({ session, list, secret, message }: WebhooksPageParts): Page {
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
      ${testForm(session)} ${secretSection(session, secret)}`,
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
    empty: html`No webhooks yet. A job with <code>webhook</code> sends one when it ends:
      <a href="/dashboard/playground/startCrawl">start a crawl</a>`,
  });
}

function lastAnswer({ last_status: status, last_error: error }: DeliveryView): Piece {
  return [status, error].filter((part) => part !== null).join(', ') || '–';
}

/** A longer body is shown as it is: making it readable costs more than it is worth. */
const MAX_READABLE_CHARS = 200_000;

function readableJson(text: string): string {
  return text.length > MAX_READABLE_CHARS ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function testForm(session: SignedIn | undefined): Html {
  return html`<section aria-labelledby="test">
    <h2 id="test">Try a receiver</h2>
    <form class="panel inline" method="post" action="/dashboard/webhooks/test" data-waits>
      ${formToken(session)}
      <p class="field grows">
        <label for="url">Send an example event to</label>
        <input
          id="url"
          name="url"
          type="url"
          required
          maxlength="${MAX_REQUEST_URL_CHARS}"
          placeholder="https://example.com/hook"
        />
      </p>
      <p class="actions"><button>Send it</button></p>
      <p class="live" role="status" aria-live="polite" data-announce></p>
    </form>
  </section>`;
}

/** Of an answer that is shown once. */
const MAX_ANSWER_CHARS = 500;

/** What became of an example event. */
function testedNote(json: string | null): Note {
  const fields = fieldsIn(json);
  const error = fieldText(fields, 'hint') ?? fieldText(fields, 'error');
  const ms = fieldNumber(fields, 'ms');
  if (ms === null) return { problem: error ?? 'The request failed.' };
  const status = fieldNumber(fields, 'status') ?? 'nothing';
  const answer = fieldText(fields, 'answer')?.slice(0, MAX_ANSWER_CHARS) ?? '';
  const text = `The receiver answered ${status} after ${durationText(ms)}. ${answer}`;
  return fields['delivered'] === true ? { delivered: text } : { problem: `${text} (${error})` };
}

function shownNote({ secret, delivered, problem: text }: Note): Piece {
  if (secret !== undefined) return shownSecret(secret);
  return delivered === undefined ? problem(text ?? '') : notice(delivered);
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

function shownSecret(secret: string): Html {
  return html`<section class="panel shown-key" aria-labelledby="shown-secret-title">
    <h2 id="shown-secret-title">Your signing secret</h2>
    <p>Copy it now: it is not shown again.</p>
    <p class="copyable"><code data-copy>${secret}</code></p>
  </section>`;
}
