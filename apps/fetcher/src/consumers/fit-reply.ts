import type { BlobStore } from '@app/blobs';
import { MAX_REPLY_BYTES } from '@app/broker';
import {
  Deadline,
  REPLY_FOLDER,
  type ReplyEnvelope,
  type ConvertReply,
  type MapReply,
  type ScrapeReply,
  type ScreenshotReply,
} from '@app/contracts';
import type { BusinessSearchReply, ConnectorChoiceReply } from '@app/connectors';
import { type SearchReply } from '@app/search';
import type { BrandReply, EnrichReply } from '@app/company';
import type { PassagesReply } from '@app/jobs';
import { waitAtMost } from '@app/runtime';
import type { Logger } from '@app/telemetry';

/** A larger reply travels through the blob store: the broker carries small envelopes. */
const MAX_INLINE_REPLY_CHARS = 64 * 1024;
/** Time to store a reply that is ready at the deadline; its reader waits longer. */
const STORE_GRACE_MS = 300;

export interface FitReplyOptions {
  readonly blobs: BlobStore;
  readonly log: Logger;
}

/** The task being answered. */
export interface AnsweredTask {
  readonly requestId: string;
  readonly tenantId: string;
  readonly deadlineAtMs: number;
}

type AnyReply =
  | ScrapeReply
  | ScreenshotReply
  | ConvertReply
  | PassagesReply
  | MapReply
  | EnrichReply
  | BrandReply
  | SearchReply
  | BusinessSearchReply
  | ConnectorChoiceReply;

/**
 * Never rejects: finished work is not repeated because its reply cannot be stored, since paid
 * fetch methods would be paid twice. While storage is unavailable the reply is sent inline, if it
 * fits a message.
 */
export async function fitReply<R extends AnyReply>(
  reply: R,
  { requestId, tenantId, deadlineAtMs }: AnsweredTask,
  { blobs, log }: FitReplyOptions,
): Promise<ReplyEnvelope<R>> {
  const text = JSON.stringify(reply);
  if (text.length <= MAX_INLINE_REPLY_CHARS) return reply;
  const key = `${REPLY_FOLDER}${tenantId}/${requestId}.json`;
  const leftMs = Deadline.at(deadlineAtMs).remainingMs() + STORE_GRACE_MS;
  try {
    await waitAtMost(
      leftMs,
      blobs.put(key, Buffer.from(text), { contentType: 'application/json' }),
    );
    return { kind: 'blob', key };
  } catch (err) {
    log.warn({ err, tenantId, requestId }, 'a reply could not be stored');
    return Buffer.byteLength(text) <= MAX_REPLY_BYTES ? reply : { kind: 'undeliverable' };
  }
}
