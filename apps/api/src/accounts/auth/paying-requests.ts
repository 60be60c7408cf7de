import type { FastifyRequest } from 'fastify';
import type { Tenant } from '@app/accounts';

const paying = new WeakSet<FastifyRequest>();
const tenants = new WeakMap<FastifyRequest, Tenant>();

/** The request pays for itself instead of coming with a key; until its payment holds it is nobody's. */
export function letPay(request: FastifyRequest): void {
  paying.add(request);
}

/** Whether no key is asked of the request. */
export function paysForItself(request: FastifyRequest): boolean {
  return paying.has(request);
}

/** The payment holds: from now on the request is this tenant's. */
export function actAs(request: FastifyRequest, tenant: Tenant): void {
  tenants.set(request, tenant);
}

/** Undefined: it does not pay for itself, or its payment does not hold yet. */
export function payingTenantOf(request: FastifyRequest): Tenant | undefined {
  return tenants.get(request);
}
