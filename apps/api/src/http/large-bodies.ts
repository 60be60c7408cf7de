import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Settings } from '@app/config';
import { fetchersUnavailable } from '../fetchers/fetcher-call.js';

/** JSON that contains a document. */
const LARGE_JSON_ROUTES: ReadonlySet<string> = new Set(['/v1/extract']);
const MULTIPART_ROUTES: ReadonlySet<string> = new Set(['/v1/parse', '/v2/parse']);
/** Bodies of the largest size that one process keeps in memory at once; smaller ones fit more often. */
const LARGEST_AT_ONCE = 8;

type Limits = Pick<Settings, 'bodyLimitBytes' | 'uploadMaxBytes'>;

/** Allows some routes larger bodies, and bounds their total memory. */
export function acceptLargeBodies(fastify: FastifyInstance, limits: Limits): LargeBodies {
  const { bodyLimitBytes, uploadMaxBytes } = limits;
  fastify.addHook('onRoute', (route) => {
    if (LARGE_JSON_ROUTES.has(route.url)) {
      route.bodyLimit = Math.max(bodyLimitBytes, uploadMaxBytes);
    }
  });
  // Files are streamed; the reader of the parts enforces their limits.
  void fastify.register(multipart, { throwFileSizeLimit: false });
  const bodies = new LargeBodies(bodyLimitBytes, LARGEST_AT_ONCE * uploadMaxBytes);
  // After the key was checked, before the body is read.
  fastify.addHook('preParsing', async (request, reply) => {
    refuseForeignMultipart(request);
    bodies.hold(request, reply);
  });
  return bodies;
}

/** The largest size the body may have; 0 if it cannot be large. */
function bytesInMemory({ routeOptions, headers }: FastifyRequest): number {
  if (!LARGE_JSON_ROUTES.has(routeOptions.url ?? '')) return 0;
  const limit = routeOptions.bodyLimit ?? 0;
  // Without a Content-Length the body may have any size.
  return Math.min(limit, Number(headers['content-length'] ?? limit));
}

function refuseForeignMultipart({ is404, routeOptions, headers }: FastifyRequest): void {
  const isMultipart = /^multipart\//i.test(headers['content-type'] ?? '');
  if (isMultipart && !is404 && !MULTIPART_ROUTES.has(routeOptions.url ?? '')) {
    throw new ApiError('unsupported_media_type');
  }
}

/** Bytes of large bodies in memory, from before a body is read until its response is sent. */
export class LargeBodies {
  private heldBytes = 0;
  private readonly held = new WeakMap<FastifyRequest, number>();

  constructor(
    /** Smaller bodies are not counted. */
    private readonly smallBytes: number,
    private readonly maxBytes: number,
  ) {}

  /** @throws ApiError if there is no room */
  hold(request: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = bytesInMemory(request);
    if (bytes <= this.smallBytes) return;
    if (this.heldBytes + bytes > this.maxBytes) {
      throw fetchersUnavailable(new Error('too many large bodies in memory'));
    }
    this.count(request, bytes);
    if (raw.closed) this.count(request, 0);
    else raw.once('close', () => this.count(request, 0));
  }

  /** The body was read: one without a Content-Length may be small after all. */
  measured(request: FastifyRequest, bytes: number): void {
    if (this.held.has(request)) this.count(request, bytes <= this.smallBytes ? 0 : bytes);
  }

  private count(request: FastifyRequest, bytes: number): void {
    this.heldBytes += bytes - (this.held.get(request) ?? 0);
    this.held.set(request, bytes);
  }
}
