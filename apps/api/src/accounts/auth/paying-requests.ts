import type { FastifyRequest } from 'fastify';
import type { Tenant } from '@app/accounts';

const paying = new WeakSet<FastifyRequest>();
const tenants = new WeakMap<FastifyRequest, Tenant>();

/** A request that pays instead of sending a key; it has no tenant until its payment is verified. */
export function letPay(request: FastifyRequest): void {
  paying.add(request);
}

/** Whether the request needs no key. */
export function paysForItself(request: FastifyRequest): boolean {
  return paying.has(request);
}

/** The payment is verified: from now on the request belongs to this tenant. */
export function actAs(request: FastifyRequest, tenant: Tenant): void {
  tenants.set(request, tenant);
}

/** Undefined: the request does not pay, or its payment is not verified yet. */
export function payingTenantOf(request: FastifyRequest): Tenant | undefined {
  return tenants.get(request);
}
