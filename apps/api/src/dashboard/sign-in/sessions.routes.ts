import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endSession, listSessions } from '@app/accounts';
import { noteSecurityEvent } from '../../http/security-log.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html } from '../html/html.js';
import { noticeIn } from '../html/notice.js';
import { formToken } from '../html/page.js';
import { timeText } from '../html/time-text.js';
import { formField } from '../http/form-body.js';
import { SignedOut } from '../http/page-error.js';
import { goTo, signedInOf, type SignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';

type ListedSession = Awaited<ReturnType<typeof listSessions>>[number];

const PATH = '/dashboard/sessions';

/** Who is signed in to the account, and ending it. */
export function sessionRoutes(
  scope: FastifyInstance,
  { runtime: { database }, pages }: DashboardServices,
): void {
  scope.get(PATH, async (request, reply) => {
    const session = signedIn(request);
    const sessions = await listSessions(database, session.tenant.id, session.token);
    return pages.send(reply, {
      title: 'Signed in',
      lead: 'Sessions of this account. One ends 12 hours after it began, after 2 hours without use, and with its key.',
      section: 'keys',
      back: { title: 'API keys', path: '/dashboard/keys' },
      content: html`${noticeIn(request.query)} ${sessionTable(sessions, session)}
      ${sessions.length > 1 && endOthersForm(session)}`,
    });
  });
  scope.post(`${PATH}/end`, async (request, reply) => {
    await endSession(database, signedIn(request).tenant.id, { id: formField(request, 'session') });
    noteSecurityEvent(request, 'session_ended');
    return goTo(reply, `${PATH}?done=session-ended`);
  });
  scope.post(`${PATH}/end-others`, async (request, reply) => {
    const { tenant, token } = signedIn(request);
    await endSession(database, tenant.id, { allBut: token });
    noteSecurityEvent(request, 'session_ended');
    return goTo(reply, `${PATH}?done=sessions-ended`);
  });
}

/** @throws SignedOut */
function signedIn(request: FastifyRequest): SignedIn {
  const session = signedInOf(request);
  if (!session) throw new SignedOut();
  return session;
}

function endOthersForm(session: SignedIn): Html {
  return html`<form class="panel inline" method="post" action="${PATH}/end-others">
    ${formToken(session)}
    <p class="actions"><button class="danger">End all others</button></p>
  </form>`;
}

function sessionTable(sessions: readonly ListedSession[], session: SignedIn): Html {
  return dataTable({
    caption: 'Sessions, the last used first',
    columns: [
      {
        title: 'Signed in with',
        cell: ({ keyLabel, isCurrent }) =>
          html`${keyLabel === null ? 'a link' : html`the key <strong>${keyLabel}</strong>`}${isCurrent && html` <span class="tag">this one</span>`}`,
      },
      { title: 'Since', cell: ({ openedAt }) => timeText(openedAt.toISOString()) },
      { title: 'Last used', cell: ({ seenAt }) => timeText(seenAt.toISOString()) },
      {
        title: 'Actions',
        cell: ({ id, isCurrent }) =>
          isCurrent
            ? ''
            : html`<form method="post" action="${PATH}/end">
                ${formToken(session)}
                <input type="hidden" name="session" value="${id}" />
                <button>End</button>
              </form>`,
      },
    ],
    rows: sessions,
    empty: 'No sessions.',
  });
}
