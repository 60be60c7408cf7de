import type { FastifyInstance } from 'fastify';
import { payPerCallTerms } from '@app/config';
import type { Runtime } from '@app/runtime';
import { openFacilitator } from '@app/accounts';
import { PaidCalls } from './paid-calls.js';

/**
 * Has some calls paid for one by one where that is set up, and changes nothing where it is not. Hooks of
 * the server, before those that ask for a key.
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
