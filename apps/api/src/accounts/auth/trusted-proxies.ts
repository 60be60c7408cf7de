import { parseTrustProxy } from '@app/config';

/** The value for Fastify's `trustProxy`, which derives `request.ip` from X-Forwarded-For. */
type TrustProxy = false | string[] | ((address: string, hop: number) => boolean);

/**
 * A number is passed as a function: Fastify treats a plain number as no trust at all, because a client that
 * reaches the API past its proxies could claim any address. The docs of TRUST_PROXY warn operators.
 */
export function trustProxyOf(setting: string): TrustProxy {
  const trusted = parseTrustProxy(setting);
  switch (trusted.kind) {
    case 'none':
      return false;
    case 'hops':
      return (_address, hop) => hop < trusted.hops;
    case 'addresses':
      return [...trusted.addresses];
  }
}
