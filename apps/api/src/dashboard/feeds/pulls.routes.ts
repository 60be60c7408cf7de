import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryNumber } from '../../http/query-values.js';
import { sendFile } from '../../http/send-stream.js';
import { noticeIn, problem } from '../html/notice.js';
import { goTo, idOf, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import { fieldsIn, fieldText } from '../results/read-result.js';
import { isRecord } from '../http/one-time-notes.js';
import type { DashboardServices } from '../services.js';
import { PULLS } from './feed-list.page.js';
import { pullPage } from './pull.page.js';

const MAX_INTEGER = 2 ** 31 - 1;
/** On a page. */
const SHOWN_ROWS = 50;

/** Previews and pulls of connectors. Previews are made in the playground. */
export function pullRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pulls, notes } = services;
  scope.get(`${PULLS}/:id`, (request, reply) => show(services, request, reply));
  scope.get(`${PULLS}/:id/rows.csv`, (request, reply) => sendRows(services, request, reply));
  scope.post(`${PULLS}/:id/pull`, async (request, reply) => {
    const jobId = idOf(request);
    // By the API: charged and limited like any other.
    const { status, json } = await services.own.send(tenantSignedIn(request), {
      path: '/v1/pull',
      body: { jobId },
    });
    const path = `${PULLS}/${jobId}`;
    if (status >= 400) notes.leave(reply, { path }, { problem: errorIn(json) });
    return goTo(reply, path);
  });
  scope.post(`${PULLS}/:id/cancel`, async (request, reply) => {
    await pulls.cancel(tenantSignedIn(request), idOf(request));
    return goTo(reply, `${PULLS}/${idOf(request)}`);
  });
}

async function show(
  { pages, pulls, connectors, notes }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tenant = tenantSignedIn(request);
  const id = idOf(request);
  const { cursor } = request.query as { readonly cursor?: string };
  const after = queryNumber('cursor', cursor, { fallback: 0, min: 0, max: MAX_INTEGER });
  const pull = await pulls.view(tenant, id);
  const [page, columns] = await Promise.all([
    pulls.page(tenant, id, { after, most: SHOWN_ROWS }),
    pulls.columns(tenant, id),
  ]);
  const title = connectors.get(pull.connectorId)?.connector.title ?? pull.connectorId;
  const note = notes.take(request, reply, `${PULLS}/${id}`)?.['problem'];
  const message = note === undefined ? noticeIn(request.query) : problem(note);
  const session = signedInOf(request);
  return pages.send(reply, pullPage({ session, pull, page, columns, title, message }));
}

/** The rows of a pull, as a file. */
async function sendRows(
  { pulls }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const all = { after: 0, most: MAX_INTEGER, form: 'csv' } as const;
  const lines = await pulls.lines(tenantSignedIn(request), idOf(request), all);
  await sendFile(reply, lines, {
    contentType: 'text/csv; charset=utf-8',
    fileName: `pull-${idOf(request)}.csv`,
  });
  return reply;
}

/** Errors of these endpoints are for agents: a text, or an object with one. */
function errorIn(json: string | null): string {
  const { error } = fieldsIn(json);
  if (typeof error === 'string') return error;
  return (isRecord(error) ? fieldText(error, 'message') : null) ?? 'The pull was refused.';
}
