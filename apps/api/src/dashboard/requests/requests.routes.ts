import type { FastifyInstance } from 'fastify';
import { isId } from '@app/contracts';
import { recentRequests, type ShownRequest } from '@app/requests';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { durationText, numberText, timeText } from '../html/time-text.js';
import { tenantSignedIn } from '../http/signed-in.js';
import { PLAYGROUND } from '../playground/playground.page.js';
import type { DashboardServices } from '../services.js';

const PATH = '/dashboard/requests';
const SHOWN = 50;

/** What the account requested of the API, by key and by the playground. */
export function requestRoutes(scope: FastifyInstance, { pages, runtime }: DashboardServices): void {
  scope.get(PATH, async (request, reply) => {
    const { before, of } = request.query as { readonly before?: unknown; readonly of?: unknown };
    const isRun = of === 'playground';
    const found = await recentRequests(runtime.database, tenantSignedIn(request).id, {
      ...{ limit: SHOWN, isRun },
      ...(typeof before === 'string' && isId(before) ? { before } : {}),
    });
    return pages.send(reply, requestsPage(found, isRun));
  });
}

function requestsPage(requests: readonly ShownRequest[], isRun: boolean): Page {
  const last = requests.length === SHOWN ? requests.at(-1) : undefined;
  const filter = isRun ? '&of=playground' : '';
  return {
    title: 'Requests',
    lead: 'Of the last 30 days, newest first: what started or cost something, and what failed. Of more than ten in a second ten are listed.',
    section: 'requests',
    content: html`<nav class="choices" aria-label="Which requests">
        <ul>
          <li><a href="${PATH}" ${!isRun && html`aria-current="page"`}>All</a></li>
          <li>
            <a href="${PATH}?of=playground" ${isRun && html`aria-current="page"`}
              >Of the playground</a
            >
          </li>
        </ul>
      </nav>
      <div data-rows>
        ${requestTable(requests)}
        <p class="pager">
          ${
            last &&
            html`<a class="button" href="${PATH}?before=${last.id}${filter}" data-more>More</a>`
          }
        </p>
      </div>
      <p class="live" role="status" aria-live="polite" data-announce></p>`,
  };
}

export function requestTable(requests: readonly ShownRequest[]): Html {
  return dataTable({
    caption: 'Requests, newest first',
    columns: [
      { title: 'Time', cell: ({ at }) => timeText(at) },
      { title: 'Request', cell: requestOf, kind: 'address' },
      {
        title: 'Response',
        cell: ({ status }) =>
          html`<span class="state" data-state="${status < 400 ? 'completed' : 'failed'}"
            >${status}</span
          >`,
      },
      { title: 'Credits', cell: ({ credits }) => numberText(credits ?? 0), kind: 'number' },
      { title: 'Duration', cell: ({ ms }) => durationText(ms), kind: 'number' },
      {
        title: 'Key',
        // A session has the key that opened it.
        cell: ({ keyId, runId, label }) =>
          keyId === null || runId !== null ? 'Account page' : (label ?? 'revoked'),
      },
      { title: 'Request id', cell: ({ requestId }) => html`<code>${requestId}</code>` },
    ],
    rows: requests,
    empty: html`No requests yet. <a href="/dashboard/playground">Send one in the playground</a>`,
  });
}

/** The result of a request of the playground is kept for a day, its form as long as it is listed. */
function requestOf({ method, path, runId }: ShownRequest): Piece {
  const text = html`${method} ${path}`;
  return runId === null ? text : html`<a href="${PLAYGROUND}/run/${runId}">${text}</a>`;
}
