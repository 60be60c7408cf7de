import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './accept-encoding.js';

/** What is the same for everyone, until the process ends. */
export interface FixedText {
  /** Media type. */
  readonly type: string;
  readonly text: string;
  /** @default fresh for an hour (specification: Key provisioning and public files) */
  readonly cacheControl?: string;
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const FOR_AN_HOUR = 'public, max-age=3600';
const compressed = promisify(gzip);

/** Makes a value when it is first needed, once. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Makes and compresses a text for the first request, once: anyone may request it, as often as they like. Answers 304 to a
 * client whose copy is current (RFC 9110, 13.1.2). The server itself handles HEAD.
 */
export function fixedAnswer(make: () => FixedText): Answer {
  const known = once(() => {
    const { type, text, cacheControl = FOR_AN_HOUR } = make();
    const hash = createHash('sha256').update(text).digest('base64url');
    return { type, text, cacheControl, tag: hash.slice(0, 22), gzipped: compressed(text) };
  });
  return async ({ headers }, reply) => {
    const { type, text, cacheControl, tag, gzipped } = known();
    const isGzipped = acceptsGzip(headers['accept-encoding']?.toString());
    // Each form has its own (RFC 9110, 8.8.3.3).
    const etag = isGzipped ? `"${tag}-gzip"` : `"${tag}"`;
    const vary = reply.getHeader('vary');
    void reply
      .header('etag', etag)
      .header('cache-control', cacheControl)
      .header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
    if (isKnown(headers['if-none-match'], etag)) return reply.status(304).send();
    void reply.header('content-type', type);
    if (!isGzipped) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(await gzipped);
  };
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
