import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codingFor, type ContentCoding } from './accept-encoding.js';

/**
 * Routes whose responses are compressed: what was read of pages and of the web, and lists of it.
 *
 * How far a response shrinks shows what its parts have in common. If it holds a secret beside a text that an attacker
 * chooses, the attacker can guess the secret byte by byte by the length of many such responses (BREACH). So none is here
 * that holds a secret which stays the same: keys, webhook secrets, addresses of feeds and of the results of jobs, checkouts,
 * the dashboard. The signed address of a screenshot beside a page's text is new in each response. Nor are those here that
 * are sent as they are made (batches, events), since a compressor would hold them back; downloads and JSON lines have a
 * compressor of their own, and public files are compressed once.
 */
const COMPRESSED: ReadonlySet<string> = new Set([
  ...['/v1/scrape', '/v1/extract', '/v1/parse', '/v1/map', '/v1/search'],
  ...['/v1/enrich', '/v1/enrich/website', '/v1/brand', '/v1/resolve'],
  ...['/v1/graph/query', '/v1/graph/business/:idOrDomain', '/v1/connectors', '/v1/pricing'],
  ...['/v1/scrapers/maps', '/v1/scrapers/reviews', '/v1/scrapers/listings'],
  ...['/v1/scrapers/directory', '/v1/preview', '/v1/pull', '/v1/pull/:id/results'],
  ...['/v1/crawl/:id/results', '/v1/crawl/:id/urls', '/v1/crawl/:id/search'],
  ...['/v2/scrape', '/v2/search', '/v2/map', '/v2/parse'],
]);

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
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  if (method === 'HEAD' || !COMPRESSED.has(routeOptions.url ?? '')) return false;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  const bytes = Buffer.byteLength(payload);
  const type = String(reply.getHeader('content-type') ?? '');
  const isEncoded = reply.hasHeader('content-encoding');
  return !isEncoded && bytes >= LEAST_BYTES && bytes <= MAX_BYTES && COMPRESSIBLE.test(type);
}
