import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobNotFoundError } from '@app/blobs';
import { ApiError, PLAN_LIMITS } from '@app/contracts';
import type { LeaseKeeper, Runtime } from '@app/runtime';
import {
  claimKey,
  completeClaim,
  dropClaim,
  releaseClaim,
  answerPlace,
  copyStream,
  keepBytes,
  CLAIM_LEASE_MS,
  type ClaimOutcome,
  type KeptAnswer,
  type KeyClaim,
  keepClaims,
} from '@app/idempotency';
import { tenantOf } from '../../accounts/auth/require-key.js';
import { readUpload } from '../../parse/read-upload.js';
import { storedObjectBytes, utcDay, type Tenant } from '@app/accounts';
import { readStoredBytes } from '@app/jobs';
import { storageFull } from '../../jobs/admit-job.js';
import { fetchersUnavailable } from '../../fetchers/fetcher-call.js';
import type { LongAnswers } from '../long-answers.js';
import { sendStream } from '../send-stream.js';
import { holdClaim, takeClaim } from './claimed-requests.js';
import { FormDigest, jsonFingerprint } from './fingerprint.js';
import { idempotencyKeyOf } from './idempotency-key.js';

export const REPLAYED_HEADER = 'idempotent-replayed';
const RETRY_AFTER_SECONDS = 2;
/** While stored responses and screenshots are a smaller part of the plan's storage, the rest is not added up for each request. */
const SMALL_SHARE = 0.1;
/** The parts of a response that are stored beside status and body. */
const KEPT_HEADERS = [
  'content-type',
  'content-encoding',
  'content-disposition',
  'location',
  'vary',
  'x-page-url',
  'x-page-title',
  'x-fetch-method',
  'x-partial-reason',
  'x-credits-consumed',
  'x-credits-remaining',
] as const;

/**
 * Requests with an Idempotency-Key run once: the key is claimed before the handler runs, and the response is
 * stored before the client receives it. Implemented as server hooks, so a new route cannot miss them. If the
 * process dies, the claim's lease expires.
 */
export function keepPostsIdempotent(
  fastify: FastifyInstance,
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'blobs'>,
  replays: ReplayBounds,
): void {
  const posts = new IdempotentPosts(runtime, replays);
  fastify.addHook('preHandler', (request, reply) => posts.admit(request, reply));
  fastify.addHook('onSend', (request, reply, payload) => posts.settle(request, reply, payload));
  fastify.addHook('onClose', async () => posts.close());
}

/** Timeout for sending a stored body. */
export interface ReplayBounds {
  readonly answers: LongAnswers;
  /** @default that of {@link sendStream} */
  readonly stalledMs?: number;
}

class IdempotentPosts {
  private readonly live: LeaseKeeper<KeyClaim>;

  constructor(
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'blobs'>,
    private readonly replays: ReplayBounds,
  ) {
    this.live = keepClaims(runtime);
  }

  close(): void {
    this.live.close();
  }

  /** Lets the request through with its claim, replays a response, or throws. @throws ApiError */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // Before the tenant is required: a route without one may reject the header too.
    const key = idempotencyKeyOf(request);
    const tenant = tenantOf(request);
    if (tenant === undefined || key === null) return undefined;
    const { id: tenantId } = tenant;
    const outcome = await this.claim(request, { tenantId, key });
    switch (outcome.kind) {
      case 'claimed':
        await this.refuseIfFull(tenant).catch(async (error: unknown) => {
          leaveUnread(request);
          await dropClaim(this.runtime.database, outcome.claim);
          throw error;
        });
        this.live.hold(outcome.claim);
        holdClaim(request, outcome.claim);
        return undefined;
      case 'running':
        leaveUnread(request);
        void reply.header('retry-after', RETRY_AFTER_SECONDS);
        throw new ApiError('idempotency_key_running', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      case 'reused':
        leaveUnread(request);
        throw new ApiError('idempotency_key_reused');
      case 'answered':
        if (isForm(request)) await this.compareForm(request, outcome.fingerprint);
        return this.replay(reply, tenantId, outcome.answer);
    }
  }

  /** Stores the response. Returns the payload to send. */
  async settle(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const claim = takeClaim(request);
    if (!claim) return payload;
    const fate = fateOf(reply.statusCode);
    if (fate !== 'keep') {
      await this.end(claim, () => endClaim(this.runtime, claim, fate));
      return payload;
    }
    if (payload instanceof Readable) return this.copied(claim, reply, payload);
    await this.end(claim, async () => {
      const body = await keepBytes(bytesOf(payload), answerPlace(this.runtime, claim));
      await this.complete(claim, reply, body);
    });
    return payload;
  }

  private async claim(
    request: FastifyRequest,
    slot: { readonly tenantId: string; readonly key: string },
  ): Promise<ClaimOutcome> {
    const fingerprint = isForm(request) ? null : jsonFingerprint(request, request.body);
    try {
      return await claimKey(this.runtime.database, {
        ...slot,
        fingerprint,
        leaseMs: CLAIM_LEASE_MS,
      });
    } catch (cause) {
      throw fetchersUnavailable(cause);
    }
  }

  /** Only for a new request: stored responses are replayed as long as they are kept. @throws ApiError storage_full */
  private async refuseIfFull({ id, plan }: Tenant): Promise<void> {
    const limit = PLAN_LIMITS[plan].storageBytes;
    if (limit === null) return;
    const { database } = this.runtime;
    if ((await storedObjectBytes(database, id)) < limit * SMALL_SHARE) return;
    const { bytes } = await readStoredBytes(database, id, utcDay());
    if (bytes >= limit) throw storageFull(bytes, limit);
  }

  /** The fingerprint of a form is known once it was read; the response to an unread form is not stored. */
  private async compareForm(request: FastifyRequest, kept: Buffer | null): Promise<void> {
    const digest = new FormDigest(request);
    const { uploadMaxBytes } = this.runtime.settings;
    await readUpload(request, {
      maxBytes: uploadMaxBytes,
      digest,
      keep: (file) => finished(file.resume()),
    });
    if (!kept?.equals(digest.fingerprint())) throw new ApiError('idempotency_key_reused');
  }

  private async replay(
    reply: FastifyReply,
    tenantId: string,
    { status, headers, body }: KeptAnswer,
  ): Promise<FastifyReply> {
    const { answers, stalledMs } = this.replays;
    const isStored = !Buffer.isBuffer(body);
    if (isStored) answers.hold(reply, tenantId);
    const content = isStored ? await this.opened(body.blobKey) : body;
    reply.status(status).headers(headers).header(REPLAYED_HEADER, 'true');
    if (Buffer.isBuffer(content)) return reply.send(content);
    await sendStream(reply, content, stalledMs);
    // If the client disconnected, the response does not count as sent, and a retry would do the work again.
    if (!reply.sent) reply.hijack();
    return reply;
  }

  private async opened(blobKey: string): Promise<Readable> {
    return this.runtime.blobs.get(blobKey).catch((cause: unknown) => {
      // The stored body is lost for good, but its work was done: only the client may decide on a second run.
      if (cause instanceof BlobNotFoundError)
        throw new ApiError('idempotency_answer_gone', {}, { cause });
      throw fetchersUnavailable(cause);
    });
  }

  private copied(claim: KeyClaim, reply: FastifyReply, payload: Readable): Readable {
    return copyStream(payload, answerPlace(this.runtime, claim), {
      keep: (body) => this.end(claim, () => this.complete(claim, reply, body)),
      abandon: async (err) => {
        this.runtime.log.warn(
          { err },
          'a streamed response was not stored for its idempotency key',
        );
        await this.end(claim, () => releaseClaim(this.runtime.database, claim));
      },
    });
  }

  private async complete(
    claim: KeyClaim,
    reply: FastifyReply,
    body: KeptAnswer['body'],
  ): Promise<void> {
    const { database, log } = this.runtime;
    const kept = { status: reply.statusCode, headers: keptHeaders(reply), body };
    if (await completeClaim(database, claim, kept)) return;
    log.warn({ claimId: claim.id }, 'an idempotency claim was lost before its response was stored');
  }

  /** The work is done, so the client gets its response even if it cannot be stored. */
  private async end(claim: KeyClaim, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.runtime.log.error({ err }, 'a response was not stored for its idempotency key');
    } finally {
      // Without its heartbeat the claim passes to a retry, which finds the work already started.
      this.live.release(claim);
    }
  }
}

async function endClaim(
  { database }: Pick<Runtime, 'database'>,
  claim: KeyClaim,
  fate: 'drop' | 'release',
): Promise<void> {
  await (fate === 'drop' ? dropClaim(database, claim) : releaseClaim(database, claim));
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) kept[name] = String(value);
  }
  return kept;
}

function bytesOf(payload: unknown): Buffer {
  if (payload === null || payload === undefined) return Buffer.alloc(0);
  if (typeof payload === 'string') return Buffer.from(payload);
  if (payload instanceof Uint8Array) return Buffer.from(payload);
  throw new TypeError('unknown kind of response payload');
}

function isForm(request: FastifyRequest): boolean {
  return request.isMultipart();
}

/** A client that is still sending its form would not see the response. */
function leaveUnread(request: FastifyRequest): void {
  if (isForm(request)) request.raw.resume();
}

/** What happens to the key when its request is answered with a status. */
type AnswerFate =
  /** The response is the result of work: every later request gets it. */
  | 'keep'
  /** Nothing was begun: the key is free, also for a corrected request. */
  | 'drop'
  /** The work may be done in part: the key is free for the same request, which continues under the same id. */
  | 'release';

const UNPROCESSABLE = 422;

/**
 * 2xx and 422 (the page was fetched but gave no data) are results. Other errors (400, 401, 402, 404,
 * 409, 413, 415, 429) are returned before any work. A 499 or 5xx is never kept: a retry must be able to succeed.
 */
export function fateOf(status: number): AnswerFate {
  if (status < 400 || status === UNPROCESSABLE) return 'keep';
  return status < 499 ? 'drop' : 'release';
}
