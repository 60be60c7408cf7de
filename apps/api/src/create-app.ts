import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { RequestHistory } from '@app/requests';
import type { Runtime } from '@app/runtime';
import { AppModule } from './app.module.js';
import { OwnCalls } from './accounts/auth/own-calls.js';
import { requireKey, tenantOf } from './accounts/auth/require-key.js';
import { signedInOf } from './dashboard/http/signed-in.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { logSecurityEvents } from './http/security-log.js';
import { compressResponses } from './http/compress-responses.js';
import { createHttpAdapter } from './http/create-http.js';
import { LongAnswers } from './http/long-answers.js';
import { logRequests } from './http/log-requests.js';
import { keepPostsIdempotent } from './http/idempotency/idempotent-posts.js';
import { answerMethodNotAllowed } from './http/method-not-allowed.js';
import { ApiErrorFilter } from './http/api-error.filter.js';
import { ValidationPipe } from './http/validation.pipe.js';
import { CallLimits, limitCalls } from './accounts/limits/limit-calls.js';
import { setRateHeaders } from './accounts/limits/limit-rate.js';
import { paceCalls } from './accounts/limits/pace-calls.js';
import { takePayments } from './accounts/pay-per-call/take-payments.js';
import { answerDeferred } from './v2/deferred-operations.js';
import { acceptWatchers } from './v2/watch/accept-watchers.js';
import { JobWatch } from './v2/watch/job-watch.js';
import { servePublicFiles } from './public/serve-public-files.js';

/** Creates the HTTP app over a runtime, to listen or to be injected into by a test. */
export async function createApp(runtime: Runtime): Promise<NestFastifyApplication> {
  const adapter = createHttpAdapter(runtime);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const serveWatchers = acceptWatchers(fastify);
  const answerUnsupported = answerMethodNotAllowed(fastify);
  logSecurityEvents(fastify, {
    ...runtime,
    tenantOf: (request) => tenantOf(request) ?? signedInOf(request)?.tenant,
  });
  takePayments(fastify, runtime);
  const own = new OwnCalls(fastify);
  requireKey(fastify, { database: runtime.database, own });
  logRequests(fastify, { requests: new RequestHistory(runtime), own });
  setRateHeaders(fastify);
  paceCalls(fastify);
  limitCalls(fastify, new CallLimits(runtime));
  const answers = new LongAnswers();
  keepPostsIdempotent(fastify, runtime, { answers });
  compressResponses(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.for(runtime, answers),
    adapter,
    {
      logger: ['error', 'fatal'],
      abortOnError: false,
      bodyParser: false,
    },
  );
  app.useGlobalFilters(new ApiErrorFilter(runtime.log, runtime.metrics));
  app.useGlobalPipes(new ValidationPipe());
  const description = servePublicFiles(app, runtime);
  serveDashboard(app, { runtime, own, description });
  await app.init();
  serveWatchers((socket, request) => app.get(JobWatch).serve(socket, request));
  answerDeferred(fastify);
  answerUnsupported();
  return app;
}
