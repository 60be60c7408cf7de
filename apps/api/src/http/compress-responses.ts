import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codingFor, type ContentCoding } from './accept-encoding.js';
import { factsOf } from './route-facts.js';

/** Smaller ones cost more time than they save. */
const LEAST_BYTES = 1_024;
/** Larger ones would keep a thread of libuv, which files and names share, for more than a tenth of a second. */
const MAX_BYTES = 16_777_216;
const COMPRESSIBLE = /^(?:application\/json|text\/markdown)(?:;|$)/;

/** By levels that take a few milliseconds a megabyte; in the threads of libuv, 16 KB at a time. */
const COMPRESS: Readonly<Record<ContentCoding, (body: string | Buffer) => Promise<Buffer>>> = {
  zstd: (body) => promisify(zstdCompress)(body),
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body, { level: constants.Z_BEST_SPEED }),
};

/** Must come after the hooks that read or keep responses as they are. */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!isCompressible(request, reply, payload)) return payload;
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    const coding = codingFor(request.headers['accept-encoding']?.toString());
    if (coding === null) return payload;
    void reply.header('content-encoding', coding);
    return COMPRESS[coding](payload);
  });
}

function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if (request.method === 'HEAD' || !factsOf(request).isCompressed) return false;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  const bytes = Buffer.byteLength(payload);
  const type = String(reply.getHeader('content-type') ?? '');
  const isEncoded = reply.hasHeader('content-encoding');
  return !isEncoded && bytes >= LEAST_BYTES && bytes <= MAX_BYTES && COMPRESSIBLE.test(type);
}
