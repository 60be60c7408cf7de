import type { FastifyInstance } from 'fastify';
import { ApiError } from '@app/contracts';

/** Operations of the compatible interface that this service does not offer, with what to use instead. */
interface DeferredFamily {
  readonly instead: string;
  /** Method and path below /v2, as the router writes it. */
  readonly operations: readonly string[];
}

const SYNC_EXTRACT = 'Use POST /v1/extract, which returns its result in the response.';
const USAGE = 'Use GET /v1/usage.';
const ONE_SCRAPE = 'Use POST /v2/scrape with `actions`, which run in one request.';
const POLLED = 'Use POST /v2/scrape or POST /v2/crawl from a schedule of your own.';
const PLAIN_SEARCH = 'Use POST /v2/search.';
const NOTHING = 'There is no replacement.';

/** Browser sessions have the same operations under two names. */
const SESSIONS = ['browser', 'interact'].flatMap((name) => [
  `POST /${name}`,
  `GET /${name}`,
  `POST /${name}/:id/execute`,
  `DELETE /${name}/:id`,
  `GET /${name}/:id/replay`,
  `GET /${name}/:id/replay/:pageId`,
  `POST /${name}/webhook/destroyed`,
]);

const FAMILIES: readonly DeferredFamily[] = [
  { instead: SYNC_EXTRACT, operations: ['POST /extract', 'GET /extract/:id'] },
  {
    instead: 'Use DELETE /v1/jobs/:id, which cancels a job of any kind.',
    operations: ['DELETE /batch/scrape/:id'],
  },
  {
    instead:
      'Use GET /v1/crawl/:id/urls, which lists every URL of a job with its state and reason.',
    operations: ['GET /crawl/:id/errors', 'GET /batch/scrape/:id/errors'],
  },
  {
    instead: 'Use GET /v1/jobs, which lists the most recent jobs with their state.',
    operations: [
      'GET /crawl/active',
      'GET /crawl/ongoing',
      'GET /batch/scrape/active',
      'GET /batch/scrape/ongoing',
    ],
  },
  {
    instead: 'Use POST /v2/crawl with `includePaths` and `excludePaths`.',
    operations: ['POST /crawl/params-preview'],
  },
  {
    instead: USAGE,
    operations: [
      'GET /team/credit-usage',
      'GET /team/credit-usage/historical',
      'GET /team/token-usage',
      'GET /team/token-usage/historical',
      'GET /team/queue-status',
      'GET /team/activity',
      'GET /concurrency-check',
      'GET /keyless/eligibility',
    ],
  },
  {
    instead: SYNC_EXTRACT,
    operations: [
      'POST /agent',
      'GET /agent',
      'GET /agent/:id',
      'DELETE /agent/:id',
      'GET /agent/:id/trace',
      'GET /agent/:id/snapshots/:sid',
      'GET /agent/threads/:tid',
    ],
  },
  {
    instead: ONE_SCRAPE,
    operations: [...SESSIONS, 'POST /scrape/:id/interact', 'DELETE /scrape/:id/interact'],
  },
  {
    instead: POLLED,
    operations: [
      'POST /monitor',
      'GET /monitor',
      'GET /monitor/:id',
      'PATCH /monitor/:id',
      'DELETE /monitor/:id',
      'POST /monitor/:id/run',
      'GET /monitor/:id/checks',
      'GET /monitor/:id/checks/:checkId',
      'POST /monitor/email/confirm',
      'POST /monitor/email/unsubscribe',
    ],
  },
  { instead: NOTHING, operations: ['POST /feedback', 'POST /search/:id/feedback'] },
  { instead: 'Read the response of POST /v2/scrape.', operations: ['GET /scrape/:id'] },
  {
    instead: PLAIN_SEARCH,
    operations: [
      'POST /search/developer',
      'POST /developer',
      'POST /search/gov',
      'GET /search/research/papers',
      'GET /search/research/papers/:id',
      'GET /search/research/papers/:id/similar',
      'GET /search/research/github',
      'GET /research/*',
    ],
  },
  {
    instead: 'Send the file to POST /v2/parse as multipart/form-data.',
    operations: ['GET /parse/formats', 'POST /parse/upload-url', 'PUT /parse/upload/:id'],
  },
  {
    instead: NOTHING,
    operations: [
      'GET /exchange',
      'GET /exchange/*',
      'GET /team/threat-protection',
      'GET /team/threat-protection/*',
      'GET /team/siem',
      'GET /team/siem/*',
      'GET /slack/*',
      'POST /slack/*',
      'POST /support/ask',
      'POST /support/docs-search',
    ],
  },
];

export interface DeferredOperation {
  readonly method: string;
  /** As the router writes it. */
  readonly url: string;
  readonly instead: string;
}

export const DEFERRED_OPERATIONS: readonly DeferredOperation[] = FAMILIES.flatMap(
  ({ instead, operations }) =>
    operations.map((operation) => {
      const [method = '', path = ''] = operation.split(' ');
      return { method, url: `/v2${path}`, instead };
    }),
);

/**
 * Answers each with 404 and what to use instead, after the key check and before a body is read. Their other methods stay
 * unknown routes.
 */
export function answerDeferred(fastify: FastifyInstance): void {
  for (const { method, url, instead } of DEFERRED_OPERATIONS)
    fastify.route({
      method,
      url,
      exposeHeadRoute: false,
      config: { isUnknown: true },
      onRequest: async () => {
        const problem = `This operation is not offered under /v2. ${instead}`;
        throw new ApiError('operation_deferred', { problem });
      },
      handler: async () => undefined,
    });
}
