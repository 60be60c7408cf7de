import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '@app/contracts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers 404, so its path supports no method. */
    readonly isUnknown?: boolean;
  }
}

/** CONNECT turns the connection into a tunnel and has no path. */
const NOT_ROUTABLE = 'CONNECT';
/** Their GET works for its response, which has a price: a HEAD would pay for a body that is not sent. */
const WITHOUT_HEAD: ReadonlySet<string> = new Set(['/v1/scrape']);

/**
 * Registers a route for every unsupported method of a known path: so the router decides which path matches, the key is
 * checked first, and no body is read. OPTIONS returns the supported methods; any other method is 405 (RFC 9110, 15.5.6).
 * The server itself answers HEAD wherever there is GET (9.3.2).
 *
 * @returns a function to call after every route is registered
 */
export function answerMethodNotAllowed(fastify: FastifyInstance): () => void {
  const taken = new Map<string, Set<string>>();
  const allows = new Map<string, string>();
  fastify.addHook('onRoute', (route) => {
    const { url, method, config } = route;
    if (config?.isUnknown === true) return;
    const methods = taken.get(url) ?? new Set();
    taken.set(url, methods);
    // The server adds the route by itself.
    if (method === 'HEAD' && WITHOUT_HEAD.has(url))
      route.onRequest = refusal(url, () => allows.get(url));
    else for (const one of [method].flat()) methods.add(one);
  });
  return () => {
    const known = [...taken].map(([url, methods]) => ({ url, methods: [...methods] }));
    const all = supportAllMethods(fastify);
    for (const { url, methods } of known) {
      const others = all.filter(
        (method) =>
          method !== 'OPTIONS' && !fastify.hasRoute({ url, method: method as HTTPMethods }),
      );
      const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
      allows.set(url, allow);
      answerNotAllowed(fastify, url, { others, allow });
      if (!methods.includes('OPTIONS')) answerOptions(fastify, url, allow);
    }
  };
}

/** Every method that Node parses: one that the router does not know would be a 404. */
function supportAllMethods(fastify: FastifyInstance): readonly string[] {
  for (const method of METHODS) {
    if (method === NOT_ROUTABLE || fastify.supportedMethods.includes(method)) continue;
    fastify.addHttpMethod(method, { hasBody: true });
  }
  return fastify.supportedMethods;
}

function answerNotAllowed(
  fastify: FastifyInstance,
  url: string,
  { others, allow }: { readonly others: readonly string[]; readonly allow: string },
): void {
  fastify.route({
    url,
    method: [...others] as HTTPMethods[],
    exposeHeadRoute: false,
    onRequest: refusal(url, () => allow),
    handler: async () => undefined,
  });
}

/** Hooks of a route run after those of the server, and before the body is read. */
function refusal(url: string, allowOf: () => string | undefined): onRequestAsyncHookHandler {
  const path = url.replace(/:(\w+)/g, '{$1}');
  return async (_request, reply) => {
    const methods = allowOf() ?? '';
    void reply.header('allow', methods);
    throw new ApiError('method_not_allowed', { path, methods });
  };
}

function answerOptions(fastify: FastifyInstance, url: string, allow: string): void {
  fastify.route({
    url,
    method: 'OPTIONS',
    onRequest: async (_request, reply) => reply.header('allow', allow).status(204).send(),
    handler: async () => undefined,
  });
}
