import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Runtime } from '@app/runtime';
import { AppModule } from './app.module.js';
import { requireKey } from './auth/require-key.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { createHttpAdapter } from './http/create-http.js';
import { LongAnswers } from './http/long-answers.js';
import { keepPostsIdempotent } from './http/idempotency/idempotent-posts.js';
import { answerOtherMethods } from './http/other-methods.js';
import { RefusalFilter } from './http/refusal.filter.js';
import { ValidationPipe } from './http/validation.pipe.js';
import { CallLimits } from './limits/call-limits.js';
import { limitCalls } from './limits/limit-calls.js';
import { tellRate } from './limits/limit-rate.js';
import { takePayments } from './pay-per-call/take-payments.js';
import { servePublicFiles } from './public/serve-public-files.js';

/** The HTTP edge over a runtime, ready to listen or to be injected into by a test. */
export async function createApp(runtime: Runtime): Promise<NestFastifyApplication> {
  const adapter = createHttpAdapter(runtime);
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const answerOthers = answerOtherMethods(fastify);
  takePayments(fastify, runtime);
  requireKey(fastify, runtime.store);
  tellRate(fastify);
  const calls = new CallLimits(runtime);
  limitCalls(fastify, calls);
  const answers = new LongAnswers();
  keepPostsIdempotent(fastify, runtime, { answers });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.for(runtime, answers),
    adapter,
    {
      logger: ['error', 'fatal'],
      abortOnError: false,
      bodyParser: false,
    },
  );
  app.useGlobalFilters(new RefusalFilter(runtime.log, runtime.metrics));
  app.useGlobalPipes(new ValidationPipe());
  servePublicFiles(app, runtime);
  serveDashboard(app, runtime, calls);
  await app.init();
  answerOthers();
  return app;
}
