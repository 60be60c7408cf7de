import { parseTrustProxy } from '@app/config';

/** What Fastify's `trustProxy` takes; it reads `request.ip` from X-Forwarded-For by it. */
type TrustProxy = false | string[] | ((address: string, hop: number) => boolean);

/**
 * A number is given to Fastify as a function: a plain one it takes for no trust at all, since a client
 * that reaches the API past its proxies could then say any address. TRUST_PROXY says that to operators.
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
