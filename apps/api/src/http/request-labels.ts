import type { FastifyRequest } from 'fastify';

/** Clients may send any other method that Node parses, and a label must have few values. */
const USUAL_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** The method, or `other`. */
export function methodLabel({ method }: FastifyRequest): string {
  return USUAL_METHODS.has(method) ? method : 'other';
}

/** The template of the route; `other` without one. */
export function routeLabel({ routeOptions }: FastifyRequest): string {
  return routeOptions?.url ?? 'other';
}
