import type { TaskOwner } from '@app/contracts';
import type { AsyncMessage, Envelope } from 'rabbitmq-client';
import type { History, Reply } from './task-outcome.js';

/** Headers of this service. */
const RETRIES = 'x-retries';
const VOID_AT = 'x-void-at';
const TENANT = 'x-tenant';
const FREE_PLAN = 'x-free-plan';
const TRACEPARENT = 'traceparent';
const REASON = 'x-dead-reason';
const DETAIL = 'x-dead-detail';
/** Set by quorum queues on redelivered messages. */
const DELIVERY_COUNT = 'x-delivery-count';
/** The type of a reply that contains the reason of a failure. */
const FAILED_TYPE = 'failed';
const MAX_DETAIL_CHARS = 500;

export interface NewTask {
  readonly routingKey: string;
  readonly ttlMs?: number;
  readonly replyTo?: string;
  readonly correlationId?: string;
  readonly owner?: TaskOwner | null;
  readonly traceparent?: string | undefined;
}

/** The expiry travels twice: for the broker, and for the consumer, which checks it after a retry queue. */
export function taskEnvelope(task: NewTask, nowMs: number): Envelope {
  const { routingKey, ttlMs, replyTo, correlationId, owner = null, traceparent = null } = task;
  const headers: Headers = { ...ownerHeaders(owner), ...traceHeader(traceparent) };
  const envelope: Envelope = { routingKey, mandatory: true, durable: true, headers };
  if (ttlMs !== undefined) {
    envelope.expiration = String(Math.ceil(ttlMs));
    headers[VOID_AT] = nowMs + Math.ceil(ttlMs);
  }
  if (replyTo !== undefined) Object.assign(envelope, { replyTo, correlationId });
  return envelope;
}

export function publishedAtOf(message: AsyncMessage): number {
  const ms = Number(message.messageId?.split('-', 1)[0]);
  return Number.isFinite(ms) && ms > 0 ? ms : (message.timestamp ?? 0) * 1000;
}

export function historyOf(message: AsyncMessage): History {
  return {
    deliveries: headerNumber(message, DELIVERY_COUNT, 0),
    retries: headerNumber(message, RETRIES, 0),
  };
}

/** Epoch milliseconds after which the task is void; Infinity for never. */
export function voidAtOf(message: AsyncMessage): number {
  return headerNumber(message, VOID_AT, Infinity);
}

/** Operators read dead letters soon; tenants' data in them is not kept longer. */
export const DEAD_LETTER_MS = 24 * 3600 * 1000;

/** The tenant a task belongs to; null when its publisher named none. */
export function ownerOf(message: AsyncMessage): TaskOwner | null {
  const tenantId: unknown = message.headers?.[TENANT];
  if (typeof tenantId !== 'string') return null;
  return { tenantId, isFree: message.headers?.[FREE_PLAN] === true };
}

/** Trace of the publisher; null if it gave none. */
export function traceparentOf(message: AsyncMessage): string | null {
  const given: unknown = message.headers?.[TRACEPARENT];
  return typeof given === 'string' ? given : null;
}

/** The same task again, for a retry queue. */
export function retryEnvelope(message: AsyncMessage, routingKey: string): Envelope {
  const { replyTo, correlationId } = message;
  const headers: Headers = {
    ...ownerHeaders(ownerOf(message)),
    ...traceHeader(traceparentOf(message)),
  };
  headers[RETRIES] = historyOf(message).retries + 1;
  const voidAtMs = voidAtOf(message);
  if (Number.isFinite(voidAtMs)) headers[VOID_AT] = voidAtMs;
  return { routingKey, mandatory: true, durable: true, headers, replyTo, correlationId };
}

export function deadEnvelope(routingKey: string, reason: string, detail: string): Envelope {
  const headers = { [REASON]: reason, [DETAIL]: detail.slice(0, MAX_DETAIL_CHARS) };
  // In the message too: a queue declared by an older release keeps its longer time to live.
  const expiration = String(DEAD_LETTER_MS);
  return { routingKey, mandatory: true, durable: true, headers, expiration };
}

/** Not mandatory: the requester may be gone. */
export function replyEnvelope(message: AsyncMessage, reply: Reply): Envelope | null {
  if (message.replyTo === undefined) return null;
  const envelope: Envelope = { routingKey: message.replyTo, correlationId: message.correlationId };
  return reply.kind === 'failed' ? { ...envelope, type: FAILED_TYPE } : envelope;
}

export function replyBody(reply: Reply): Buffer {
  return Buffer.from(reply.kind === 'failed' ? JSON.stringify(reply.reason) : reply.json);
}

/** The bytes of a message as received, whatever the client parsed. */
export function messageBytes(message: AsyncMessage): Buffer {
  const body: unknown = message.body;
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/** The client has parsed the JSON; a body that it cannot parse stays as bytes. */
export function isMalformed(message: AsyncMessage): boolean {
  return message.contentType !== 'application/json' || Buffer.isBuffer(message.body);
}

export function failureOf(message: AsyncMessage): string | null {
  return message.type === FAILED_TYPE ? String(message.body) : null;
}

type Headers = Record<string, number | string | boolean>;

function ownerHeaders(owner: TaskOwner | null): Headers {
  return owner === null ? {} : { [TENANT]: owner.tenantId, [FREE_PLAN]: owner.isFree };
}

function traceHeader(traceparent: string | null): Headers {
  return traceparent === null ? {} : { [TRACEPARENT]: traceparent };
}

function headerNumber(message: AsyncMessage, name: string, otherwise: number): number {
  const value: unknown = message.headers?.[name];
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}
