import type { QueueName, TaskOwner } from '@app/contracts';
import { slotsByTenant, slotsInOrder, TenantTurns, type SlotLimits } from '@app/turns';
import type { AsyncMessage, Channel } from 'rabbitmq-client';
import { InFlight, type Incoming } from './in-flight.js';
import type { RabbitLink, RabbitTiming } from './rabbit-link.js';
import {
  historyOf,
  isMalformed,
  ownerOf,
  publishedAtOf,
  traceparentOf,
  voidAtOf,
} from './rabbit-message.js';
import type { RabbitTopology } from './rabbit-topology.js';
import type { TaskQueueEvents } from './task-queue-events.js';
import type { TaskConsumer, TaskHandler } from './task-queue.js';
import { poisonDetail, type TaskOutcome } from './task-outcome.js';

/** Delay before a message is requeued whose outcome could not be stored, so that it does not loop. */
const REQUEUE_DELAY_MS = 1000;
/**
 * Below the default of 0: tasks go first to consumers with a free slot, and wait at one only if none has any.
 */
const AHEAD_PRIORITY = -1;
/** AMQP carries the prefetch in 16 bits. */
const MAX_PREFETCH = 65_535;

export interface RabbitConsumerOptions {
  readonly queue: QueueName;
  readonly concurrency: number;
  /** @default false */
  readonly isFair?: boolean;
  /** Tasks that a fair consumer takes beyond its slots; the others stay in the queue for other consumers. */
  readonly readAhead: number;
  readonly handler: TaskHandler;
  readonly link: RabbitLink;
  readonly topology: RabbitTopology;
  readonly timing: RabbitTiming;
  readonly events: TaskQueueEvents;
  /** Publishes the reply, retry or dead letter of an outcome; then the message may be acknowledged. */
  readonly carryOut: (message: AsyncMessage, outcome: TaskOutcome) => Promise<void> | void;
}

/** One session of the consumer: from the opening of a channel to its loss. */
interface Session {
  readonly channel: Channel;
  /** Tags of its subscriptions; none while paused. */
  consumerTags: readonly string[];
  prefetch: number;
}

interface Subscription {
  /** Maximum number of unacknowledged tasks. */
  readonly prefetch: number;
  /** If several subscriptions have room, the task goes to the one with the highest priority. */
  readonly priority: number;
}

/** Delivered but not started. */
interface PendingMessage {
  readonly session: Session;
  readonly message: AsyncMessage;
}

/**
 * Consumes the messages of one queue. Acknowledgements use the channel of the message; when it is lost the
 * broker redelivers its messages, so their work is aborted and dropped here, and the consumer starts a new
 * session. Only this class acknowledges.
 *
 * Until it is stopped: without a session it connects or waits to; with one it consumes, unless its concurrency is 0.
 */
export class RabbitConsumer implements TaskConsumer {
  private readonly work: InFlight;
  private readonly turns: TenantTurns<PendingMessage>;
  private session: Session | null = null;
  private concurrency: number;
  private isStopped = false;
  private failures = 0;
  private restart: NodeJS.Timeout | null = null;
  private opening: Promise<void> = Promise.resolve();
  private lastDeliveryMs = performance.now();
  private refresher: NodeJS.Timeout | null = null;

  constructor(private readonly options: RabbitConsumerOptions) {
    this.concurrency = options.concurrency;
    const { queue, handler, events } = options;
    this.turns = new TenantTurns(this.slots);
    this.work = new InFlight({ queue, handler, events, onFree: (owner) => this.free(owner) });
    events.slots?.(queue, this.slots.total);
  }

  get inFlight(): number {
    return this.work.size;
  }

  start(): void {
    const { idleRefreshMs } = this.options.timing;
    this.refresher ??= setInterval(() => this.refreshIdle(), idleRefreshMs).unref();
    this.restart = null;
    this.opening = this.establish();
  }

  setConcurrency(concurrency: number): void {
    this.concurrency = concurrency;
    this.turns.resize(this.slots);
    this.options.events.slots?.(this.options.queue, this.slots.total);
    this.beginWaiting();
    this.opening = this.opening.then(() => this.retune());
  }

  async drain(timeoutMs: number): Promise<{ readonly abandoned: number }> {
    await this.stopTaking();
    const isIdle = await this.work.idle(timeoutMs);
    const abandoned = isIdle ? 0 : await this.work.requeueAll();
    const { session } = this;
    this.session = null;
    await session?.channel.close();
    return { abandoned };
  }

  private async stopTaking(): Promise<void> {
    this.isStopped = true;
    this.options.events.slots?.(this.options.queue, 0);
    if (this.restart !== null) clearTimeout(this.restart);
    if (this.refresher !== null) clearInterval(this.refresher);
    // A shutdown does not wait for a connection: a late session closes itself.
    if (this.session !== null) await this.opening;
    const { session } = this;
    if (session === null) return;
    await this.unsubscribe(session).catch(() => undefined); // a lost channel delivers nothing anyway
    this.returnWaiting();
  }

  private get slots(): SlotLimits {
    const { concurrency } = this;
    return this.options.isFair ? slotsByTenant(concurrency) : slotsInOrder(concurrency);
  }

  private returnWaiting(): void {
    for (const { session, message } of this.turns.remove(() => true)) this.nack(session, message);
  }

  private async establish(): Promise<void> {
    if (this.isStopped) return;
    try {
      await this.open();
      this.failures = 0;
    } catch (error) {
      this.options.events.warned?.(`Consumer of ${this.options.queue} is not established`, error);
      this.startLater();
    }
  }

  private async open(): Promise<void> {
    const { link, topology } = this.options;
    await topology.ensure();
    const channel = await link.acquire();
    const session: Session = { channel, consumerTags: [], prefetch: 0 };
    channel.once('close', () => this.lost(session));
    channel.once('basic.cancel', () => this.cancelled(session));
    if (this.isStopped) return channel.close();
    this.session = session;
    await this.subscribe(session);
  }

  private async subscribe(session: Session): Promise<void> {
    session.prefetch = this.concurrency;
    if (session.prefetch === 0) return;
    const { isFair, readAhead } = this.options;
    await this.subscribeFor(session, { prefetch: this.slots.total, priority: 0 });
    if (isFair) await this.subscribeFor(session, { prefetch: readAhead, priority: AHEAD_PRIORITY });
  }

  private async subscribeFor(
    session: Session,
    { prefetch, priority }: Subscription,
  ): Promise<void> {
    const { channel } = session;
    // It applies to later subscriptions on this channel.
    await channel.basicQos({ prefetchCount: Math.min(prefetch, MAX_PREFETCH) });
    const { consumerTag } = await channel.basicConsume(
      {
        queue: this.options.topology.queueOf(this.options.queue),
        noAck: false,
        arguments: { 'x-priority': priority },
      },
      (message) => this.receive(session, message),
    );
    session.consumerTags = [...session.consumerTags, consumerTag];
  }

  private async unsubscribe(session: Session): Promise<void> {
    const { consumerTags } = session;
    session.consumerTags = [];
    for (const consumerTag of consumerTags)
      if (session.channel.active) await session.channel.basicCancel(consumerTag);
  }

  /** The prefetch belongs to a subscription, so a new value needs a new one. Messages in flight are kept. */
  private async retune(): Promise<void> {
    const { session } = this;
    if (session === null || this.isStopped || session.prefetch === this.concurrency) return;
    try {
      await this.unsubscribe(session);
      if (this.concurrency === 0) this.returnWaiting();
      await this.subscribe(session);
    } catch {
      void session.channel.close(); // its loss starts a fresh session
    }
  }

  /** The queue was deleted meanwhile. Its messages are gone; requeued ones would be refused. */
  private cancelled(session: Session): void {
    this.options.topology.forget();
    void session.channel.close();
  }

  private lost(session: Session): void {
    if (this.session !== session) return;
    this.session = null;
    this.turns.remove((pending) => pending.session === session);
    this.work.lose();
    this.startLater();
  }

  /**
   * A consumer without deliveries may be broken: when a queue is deleted and immediately declared again,
   * RabbitMQ (seen with 3.10) moves the consumer over silently and drops its deliveries. A new channel fixes
   * that and similar faults, and costs an idle consumer nothing.
   */
  private refreshIdle(): void {
    const idleMs = performance.now() - this.lastDeliveryMs;
    if (this.work.size > 0 || idleMs < this.options.timing.idleRefreshMs) return;
    this.opening = this.opening.then(() => this.renew()).catch(() => this.session?.channel.close());
  }

  private async renew(): Promise<void> {
    const { session } = this;
    if (session === null || this.isStopped) return;
    await this.unsubscribe(session);
    // A task that came before the cancellation keeps its channel.
    if (this.work.size > 0) await this.subscribe(session);
    else await session.channel.close(); // its loss starts a fresh session
  }

  /** A failed start and the loss of its channel happen together: one new start for both. */
  private startLater(): void {
    if (this.isStopped || this.restart !== null) return;
    const { reconnectMinMs, reconnectMaxMs } = this.options.timing;
    const delayMs = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** this.failures++);
    this.restart = setTimeout(() => this.start(), delayMs);
  }

  private receive(session: Session, message: AsyncMessage): void {
    this.lastDeliveryMs = performance.now();
    // Messages that arrive during a drain are requeued at once.
    if (this.isStopped) return this.nack(session, message);
    this.turns.add({ session, message }, ownerOf(message));
    this.beginWaiting();
  }

  private free(owner: TaskOwner | null): void {
    this.turns.release(owner);
    this.beginWaiting();
  }

  private beginWaiting(): void {
    if (this.isStopped) return; // they are requeued
    for (let next = this.turns.next(); next !== null; next = this.turns.next()) {
      if (!this.begin(next)) this.turns.release(ownerOf(next.message));
    }
  }

  /** False: the message has no task to handle. */
  private begin({ session, message }: PendingMessage): boolean {
    const refused = refusalOf(message);
    if (voidAtOf(message) <= Date.now()) this.ack(session, message);
    else if (refused !== null) this.deadLetter(session, message, refused);
    else {
      this.work.start(this.incomingOf(session, message));
      return true;
    }
    return false;
  }

  private incomingOf(session: Session, message: AsyncMessage): Incoming {
    return {
      task: message.body,
      history: historyOf(message),
      publishedAtMs: publishedAtOf(message),
      owner: ownerOf(message),
      traceparent: traceparentOf(message),
      expectsReply: message.replyTo !== undefined,
      settle: (outcome) => this.settle(session, message, outcome),
    };
  }

  private deadLetter(session: Session, message: AsyncMessage, outcome: DeadOutcome): void {
    const { queue, events } = this.options;
    events.consumed?.(queue, 'dead', message.redelivered);
    events.deadLettered?.(queue, outcome.reason);
    void this.settle(session, message, outcome);
  }

  /** Publishes first, then acknowledges: a crash in between repeats the task, but never loses it. */
  private settle(
    session: Session,
    message: AsyncMessage,
    outcome: TaskOutcome,
  ): void | Promise<void> {
    if (outcome.kind === 'requeue') return this.nack(session, message);
    if (outcome.kind === 'ack' && message.replyTo === undefined) return this.ack(session, message);
    return this.settleByPublishing(session, message, outcome);
  }

  private async settleByPublishing(
    session: Session,
    message: AsyncMessage,
    outcome: TaskOutcome,
  ): Promise<void> {
    try {
      await this.options.carryOut(message, outcome);
      this.ack(session, message);
    } catch (error) {
      this.options.events.warned?.(
        `A ${this.options.queue} task is requeued: its outcome could not be stored`,
        error,
      );
      await new Promise((resolve) => setTimeout(resolve, this.isStopped ? 0 : REQUEUE_DELAY_MS));
      this.nack(session, message);
    }
  }

  private ack({ channel }: Session, { deliveryTag }: AsyncMessage): void {
    if (channel.active) channel.basicAck({ deliveryTag });
  }

  private nack({ channel }: Session, { deliveryTag }: AsyncMessage): void {
    if (channel.active) channel.basicNack({ deliveryTag, requeue: true });
  }
}

type DeadOutcome = TaskOutcome & { kind: 'dead' };

/** Why a message is not delivered to a handler, or null. */
function refusalOf(message: AsyncMessage): DeadOutcome | null {
  const poison = poisonDetail(historyOf(message));
  if (poison !== null) return { kind: 'dead', reason: 'poison', detail: poison };
  return isMalformed(message) ? { kind: 'dead', reason: 'malformed', detail: 'not JSON' } : null;
}
