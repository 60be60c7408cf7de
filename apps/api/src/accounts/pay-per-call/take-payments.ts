import type { FastifyInstance } from 'fastify';
import { payPerCallTerms } from '@app/config';
import type { Runtime } from '@app/runtime';
import { openFacilitator } from '@app/billing';
import { PaidCalls } from './paid-calls.js';

/**
 * Enables pay per call for some routes if it is configured. Server hooks that run before the ones that
 * require a key.
 */
export function takePayments(fastify: FastifyInstance, runtime: Runtime): void {
  const terms = payPerCallTerms(runtime.settings);
  if (terms === null) return;
  const { facilitator, close } = openFacilitator(terms);
  const calls = new PaidCalls({ runtime, terms, facilitator });
  fastify.addHook('onRequest', (request, reply) => calls.admit(request, reply));
  fastify.addHook('preHandler', (request, reply) => calls.begin(request, reply));
  fastify.addHook('onSend', (request, reply, payload) => calls.end(request, reply, payload));
  // After the last answer.
  fastify.addHook('onClose', close);
}
