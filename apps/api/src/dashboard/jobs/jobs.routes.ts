import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { StoredResult } from '@app/jobs';
import { clientGone } from '../../http/client-gone.js';
import type { RawPageSearch } from '../../jobs/results/page-search.service.js';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { queryNumber } from '../../http/query-values.js';
import { sendStream } from '../../http/send-stream.js';
import { END_ID, jobEvents } from '../../jobs/results/job-events.js';
import { noticeIn } from '../html/notice.js';
import { goTo, idOf, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { jobListPage } from './job-list.page.js';
import { cancelPage, jobPage } from './job.page.js';
import { hasEnded, liveJob } from './live-job.js';
import { parseListQuery, type RawListQuery } from './parse-list-query.js';
import { picturesPage, SHOWN_PICTURES } from './pictures.page.js';
import { resultListPage } from './result-list.page.js';
import { searchPage } from './search.page.js';
import { sitePage, type ShownLevel } from './site.page.js';
import { fieldText, readResult, type Fields } from '../results/read-result.js';
import { resultPage, type PlacedResult } from './result.page.js';

const MAX_INTEGER = 2 ** 31 - 1;
/** A reader reconnects by itself: then its session is checked again. */
const MAX_STREAM_MS = 120_000;

/** The account's jobs: list, state, results, and cancelling. */
export function jobRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, jobs, urlReport, searches } = services;
  scope.get('/dashboard/jobs', async (request, reply) => {
    const { jobs: list } = await jobs.list(tenantSignedIn(request));
    return pages.send(reply, jobListPage(list, noticeIn(request.query)));
  });
  scope.get('/dashboard/jobs/states', async (request) => jobs.list(tenantSignedIn(request)));
  scope.get('/dashboard/jobs/:id', async (request, reply) => {
    const job = await jobs.viewWithLimit(tenantSignedIn(request), idOf(request));
    const level = job.view.type === 'crawl' ? levelOf(services, request, reply, null) : null;
    return pages.send(
      reply,
      jobPage(job, await level?.catch(withoutTree), noticeIn(request.query)),
    );
  });
  scope.get('/dashboard/jobs/:id/site', async (request, reply) => {
    const { prefix } = request.query as { readonly prefix?: unknown };
    const place = typeof prefix === 'string' ? prefix.slice(0, MAX_REQUEST_URL_CHARS) : null;
    return pages.send(reply, sitePage(await levelOf(services, request, reply, place)));
  });
  scope.get('/dashboard/jobs/:id/events', (request, reply) => follow(services, request, reply));
  scope.get('/dashboard/jobs/:id/search', async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const query = request.query as RawPageSearch;
    const isEmpty = typeof query.q !== 'string' || query.q.trim() === '';
    const found = isEmpty
      ? await jobs.findKept(tenant, idOf(request)).then(() => null)
      : await searches.search(tenant, idOf(request), query, clientGone(reply));
    return pages.send(reply, searchPage(idOf(request), found));
  });
  scope.get('/dashboard/jobs/:id/pictures', async (request, reply) => {
    const { cursor } = request.query as { readonly cursor?: string };
    const after = queryNumber('cursor', cursor, { fallback: 0, min: 0, max: MAX_INTEGER });
    const range = { after, most: SHOWN_PICTURES };
    const { id: jobId, ...found } = await services.results.page(
      tenantSignedIn(request),
      idOf(request),
      range,
    );
    const next = found.results.length > 0 ? found.next : null;
    const documents = found.results as readonly Fields[];
    return pages.send(reply, picturesPage({ jobId, after, documents, next }));
  });
  scope.get('/dashboard/jobs/:id/results', async (request, reply) => {
    const query = parseListQuery(request.query as RawListQuery);
    const list = await urlReport.entries(tenantSignedIn(request), idOf(request), query);
    return pages.send(reply, resultListPage(list, query));
  });
  scope.get('/dashboard/jobs/:id/results/:number', async (request, reply) =>
    pages.send(reply, resultPage(await findResult(services, request))),
  );
  scope.get('/dashboard/jobs/:id/results/:number/markdown', (request, reply) =>
    sendMarkdown(services, request, reply),
  );
  scope.get('/dashboard/jobs/:id/results/:number/picture', (request, reply) =>
    sendPicture(services, request, reply),
  );
  scope.get('/dashboard/jobs/:id/cancel', async (request, reply) => {
    const job = await jobs.view(tenantSignedIn(request), idOf(request));
    if (hasEnded(job)) return goTo(reply, `/dashboard/jobs/${job.id}?done=ended`);
    return pages.send(reply, cancelPage(signedInOf(request), job));
  });
  scope.post('/dashboard/jobs/:id/cancel', async (request, reply) => {
    const end = await jobs.cancel(tenantSignedIn(request), idOf(request));
    return goTo(
      reply,
      `/dashboard/jobs/${end.jobId}?done=${end.cancelled ? 'cancelled' : 'ended'}`,
    );
  });
}

/** The page of a job has more to show: its results have expired, or too many look at trees now. */
function withoutTree(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

async function levelOf(
  { searches }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
  prefix: string | null,
): Promise<ShownLevel> {
  const jobId = idOf(request);
  const tenant = tenantSignedIn(request);
  return { jobId, ...(await searches.level(tenant, jobId, prefix, clientGone(reply))) };
}

/** @throws ApiError if there is no such page */
async function findResult(
  { jobs, results }: DashboardServices,
  request: FastifyRequest,
): Promise<PlacedResult> {
  const tenant = tenantSignedIn(request);
  const { number } = request.params as { readonly number: string };
  const resultNo = queryNumber('number', number, { fallback: 1, min: 1, max: MAX_INTEGER });
  const job = await jobs.findKept(tenant, idOf(request));
  const page = await results.page(tenant, job.id, { after: resultNo - 1, most: 1 });
  const [document] = page.results as readonly Fields[];
  if (!document) throw new ApiError('not_found');
  return { jobId: job.id, resultNo, results: job.scraped, document };
}

async function sendMarkdown(
  services: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { resultNo, document } = await findResult(services, request);
  const markdown = fieldText(document, 'markdown');
  if (markdown === null) throw new ApiError('not_found');
  return reply
    .header('content-type', 'text/markdown; charset=utf-8')
    .header('content-disposition', `attachment; filename="page-${resultNo}.md"`)
    .send(markdown);
}

/** A picture that is part of its result, as a file of its own: a list of them stays light. */
async function sendPicture(
  services: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { document } = await findResult(services, request);
  const picture = readResult(document).picture ?? '';
  const [start = '', type] = /^data:(image\/(?:png|jpeg|webp));base64,/.exec(picture) ?? [];
  if (type === undefined) throw new ApiError('not_found');
  return reply.type(type).send(Buffer.from(picture.slice(start.length), 'base64'));
}

/** The state of a job as it changes, from the API's events; page results are not sent. */
async function follow(
  { jobs, liveJobs }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const job = await jobs.find(tenantSignedIn(request), idOf(request));
  if (request.headers['last-event-id'] === END_ID) return reply.status(204).send();
  const signal = AbortSignal.any([clientGone(reply), AbortSignal.timeout(MAX_STREAM_MS)]);
  const watch = await liveJobs.watch(job);
  signal.addEventListener('abort', () => watch.close(), { once: true });
  if (signal.aborted) watch.close();
  const events = jobEvents({
    watch,
    after: MAX_INTEGER,
    documents: noDocuments,
    present: ({ view, limit }) => liveJob(view, limit),
    signal,
  });
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
  await sendStream(reply, Readable.from(events, { objectMode: false }));
  return reply;
}

async function* noDocuments(): AsyncGenerator<StoredResult> {
  // None is after the last.
}
