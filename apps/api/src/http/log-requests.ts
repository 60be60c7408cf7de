import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestHistory } from '@app/requests';
import type { OwnCalls } from '../accounts/auth/own-calls.js';
import { tenantOf } from '../accounts/auth/require-key.js';
import { pathOf } from './api-version.js';
import { factsOf } from './route-facts.js';

export interface Logs {
  readonly requests: RequestHistory;
  readonly own: OwnCalls;
}

/**
 * Notes each request of a tenant for its account page: what changes or costs something, and what failed. Reads that
 * succeeded and polls are left out, so that they hide nothing.
 */
export function logRequests(fastify: FastifyInstance, { requests, own }: Logs): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const tenant = tenantOf(request);
    if (tenant !== undefined && isListed(request, reply)) {
      const credits = reply.getHeader('x-credits-consumed');
      const run = own.runOf(request);
      requests.note({
        ...{ tenantId: tenant.id, keyId: tenant.keyId },
        ...{ runId: run?.id ?? null, form: run?.form ?? null },
        ...{ requestId: request.id, method: request.method, path: pathOf(request.url) },
        ...{ status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        credits: credits === undefined ? null : Number(credits),
      });
    }
    done();
  });
  fastify.addHook('onClose', () => requests.close());
}

function isListed(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return factsOf(request).kind !== 'polls' && (!isRead || statusCode >= 400);
}
