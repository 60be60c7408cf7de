import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Settings } from '@app/config';
import { unavailable } from '../fetchers/fetcher-call.js';

/** JSON with a document in it. */
const LARGE_JSON_ROUTES: ReadonlySet<string> = new Set(['/v1/extract']);
const MULTIPART_ROUTES: ReadonlySet<string> = new Set(['/v1/parse']);
/** Bodies of the largest size that one process holds in memory at once; of smaller ones, more. */
const LARGEST_AT_ONCE = 8;

type Limits = Pick<Settings, 'bodyLimitBytes' | 'uploadMaxBytes'>;

/** Routes whose bodies may be larger than those of others, and what bounds them all together. */
export function acceptLargeBodies(fastify: FastifyInstance, limits: Limits): LargeBodies {
  const { bodyLimitBytes, uploadMaxBytes } = limits;
  fastify.addHook('onRoute', (route) => {
    if (LARGE_JSON_ROUTES.has(route.url)) {
      route.bodyLimit = Math.max(bodyLimitBytes, uploadMaxBytes);
    }
  });
  // Files are streamed; who reads the parts sets their limits.
  void fastify.register(multipart, { throwFileSizeLimit: false });
  const bodies = new LargeBodies(bodyLimitBytes, LARGEST_AT_ONCE * uploadMaxBytes);
  // After the key was checked, before the body is read.
  fastify.addHook('preParsing', async (request, reply) => {
    refuseForeignMultipart(request);
    bodies.hold(request, reply);
  });
  return bodies;
}

/** What the body may come to; 0 where it cannot be large. */
function bytesInMemory({ routeOptions, headers }: FastifyRequest): number {
  if (!LARGE_JSON_ROUTES.has(routeOptions.url ?? '')) return 0;
  const limit = routeOptions.bodyLimit ?? 0;
  // Without a length it may be anything.
  return Math.min(limit, Number(headers['content-length'] ?? limit));
}

function refuseForeignMultipart({ is404, routeOptions, headers }: FastifyRequest): void {
  const isMultipart = /^multipart\//i.test(headers['content-type'] ?? '');
  if (isMultipart && !is404 && !MULTIPART_ROUTES.has(routeOptions.url ?? '')) {
    throw new ApiError('unsupported_media_type');
  }
}

/** Bytes of large bodies in memory, from before a body is read until its answer is sent. */
export class LargeBodies {
  private heldBytes = 0;
  private readonly held = new WeakMap<FastifyRequest, number>();

  constructor(
    /** Smaller ones are not counted. */
    private readonly smallBytes: number,
    private readonly maxBytes: number,
  ) {}

  /** @throws Refusal when there is no room */
  hold(request: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = bytesInMemory(request);
    if (bytes <= this.smallBytes) return;
    if (this.heldBytes + bytes > this.maxBytes) {
      throw unavailable(new Error('too many large bodies at once'));
    }
    this.count(request, bytes);
    if (raw.closed) this.count(request, 0);
    else raw.once('close', () => this.count(request, 0));
  }

  /** The body is there: one whose length was not told may be small after all. */
  measured(request: FastifyRequest, bytes: number): void {
    if (this.held.has(request)) this.count(request, bytes <= this.smallBytes ? 0 : bytes);
  }

  private count(request: FastifyRequest, bytes: number): void {
    this.heldBytes += bytes - (this.held.get(request) ?? 0);
    this.held.set(request, bytes);
  }
}
