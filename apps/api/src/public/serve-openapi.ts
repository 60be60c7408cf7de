import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { describeApi } from './openapi.js';

/** GET /openapi.json: public, built once. Also answers GET / with where to go. */
export function serveOpenApi(app: NestFastifyApplication): void {
  const text = JSON.stringify(describeApi(app));
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.get('/openapi.json', async (_request, reply) => {
    await reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(text);
  });
  fastify.get('/', async () => ({
    service: 'trawl',
    openapi: '/openapi.json',
    health: '/health/ready?verbose',
  }));
}
