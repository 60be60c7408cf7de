import { setTimeout } from 'node:timers/promises';
import { QUEUES, type QueueName, errorCode } from '@app/contracts';
import type { AsyncMessage } from 'rabbitmq-client';
import { PendingReplies } from './pending-replies.js';
import { DEFAULT_READ_AHEAD, maxLengthsWith, type MaxLengths } from './queue-limits.js';
import { RabbitConsumer } from './rabbit-consumer.js';
import { RabbitLink, DEFAULT_TIMING, type RabbitTiming } from './rabbit-link.js';
import {
  messageBytes,
  deadEnvelope,
  failureOf,
  replyBody,
  replyEnvelope,
  retryEnvelope,
  publishedAtOf,
  taskEnvelope,
  type NewTask,
} from './rabbit-message.js';
import { RabbitPublisher, REPLY_TO, UnroutableError } from './rabbit-publisher.js';
import { RabbitTopology } from './rabbit-topology.js';
import { BrokerUnavailableError, QueueFullError, TaskFailedError } from './task-errors.js';
import { encodeTask } from './task-json.js';
import type { PublishResult, TaskQueueEvents } from './task-queue-events.js';
import type {
  ConsumeOptions,
  PublishOptions,
  RequestOptions,
  TaskConsumer,
  TaskQueue,
} from './task-queue.js';
import type { Reply, TaskOutcome } from './task-outcome.js';

/** Confirms awaited at a time by one publishMany. */
const PIPELINE = 1000;

/** Pause after a nack; doubles up to {@link MAX_NACK_PAUSE_MS}. */
const NACK_PAUSE_MS = 50;
const MAX_NACK_PAUSE_MS = 1000;

/** A quorum queue that was full refuses until it is below this part of its limit. */
const REOPENS_AT = 0.8;

export interface RabbitTaskQueueOptions {
  /** amqp(s)://user:password@host:port/vhost */
  readonly url: string;
  /** @default 'trawl' */
  readonly prefix?: string;
  /** Those that it declares, at its first use: scalers read them. The first must be among them. @default all */
  readonly queues?: readonly QueueName[];
  readonly maxLengths?: Partial<MaxLengths>;
  /** Tasks that a fair consumer takes beyond its slots. @default DEFAULT_READ_AHEAD */
  readonly readAhead?: number;
  readonly events?: TaskQueueEvents;
  readonly timing?: Partial<RabbitTiming>;
}

/** The cluster's broker: RabbitMQ 3.10 or later, with quorum queues. */
export class RabbitTaskQueue implements TaskQueue {
  private readonly publishing: RabbitLink;
  private readonly consuming: RabbitLink;
  private readonly topology: RabbitTopology;
  private readonly publisher: RabbitPublisher;
  private readonly maxLengths: MaxLengths;
  private readonly fullness = new Map<QueueName, Promise<boolean>>();
  private readonly replies = new PendingReplies();
  private readonly consumers = new Set<RabbitConsumer>();
  private readonly events: TaskQueueEvents;
  private readonly timing: RabbitTiming;
  private readonly readAhead: number;

  constructor(options: RabbitTaskQueueOptions) {
    const { prefix = 'trawl', queues = QUEUES } = options;
    this.events = options.events ?? {};
    this.timing = { ...DEFAULT_TIMING, ...options.timing };
    this.readAhead = options.readAhead ?? DEFAULT_READ_AHEAD;
    this.publishing = this.link(options.url, `${prefix} publisher`);
    this.consuming = this.link(options.url, `${prefix} consumer`);
    this.maxLengths = maxLengthsWith(options.maxLengths);
    this.topology = new RabbitTopology(this.publishing, {
      prefix,
      queues,
      maxLengths: this.maxLengths,
      responseWaitMs: this.timing.confirmWaitMs,
      warned: (message, cause) => this.events.warned?.(message, cause),
    });
    this.publisher = new RabbitPublisher({
      link: this.publishing,
      topology: this.topology,
      timing: this.timing,
      onReply: (message) => this.receiveReply(message),
      onChannelLost: () =>
        this.replies.failAll('The connection to the broker was lost before the reply'),
    });
  }

  get isConnected(): boolean {
    return this.publishing.isUp && !this.consuming.isDown;
  }

  async publish(queue: QueueName, task: unknown, options: PublishOptions = {}): Promise<void> {
    await this.send(queue, encodeTask(task), options);
  }

  async publishMany(
    queue: QueueName,
    tasks: readonly unknown[],
    options: PublishOptions = {},
  ): Promise<void> {
    const bodies = tasks.map(encodeTask);
    const refusals: Refusals = { indexes: [], first: null };
    for (let start = 0; start < bodies.length; start += PIPELINE) {
      await this.sendAll(queue, bodies.slice(start, start + PIPELINE), options, (index, error) => {
        refusals.indexes.push(start + index);
        refusals.first ??= error;
      });
    }
    if (refusals.first !== null)
      throw withRefused(
        refusals.first,
        refusals.indexes.sort((a, b) => a - b),
      );
  }

  async request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown> {
    const body = encodeTask(task);
    const { id, reply } = this.replies.open(options);
    const sent = this.send(queue, body, {
      ttlMs: options.timeoutMs,
      replyTo: REPLY_TO,
      correlationId: id,
      owner: options.owner ?? null,
      traceparent: options.traceparent,
    });
    sent.catch((error: unknown) => this.replies.fail(id, error));
    return reply;
  }

  async consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer> {
    const { link, topology, timing, events } = { ...this, link: this.consuming };
    const carryOut = (message: AsyncMessage, outcome: TaskOutcome): Promise<void> =>
      this.carryOut(queue, message, outcome);
    const consumer = new RabbitConsumer({
      queue,
      link,
      topology,
      timing,
      events,
      carryOut,
      readAhead: this.readAhead,
      ...options,
    });
    this.consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  async depth(queue: QueueName): Promise<number> {
    const seen = this.topology.version;
    try {
      await this.topology.ensure();
      return await this.topology.depth(queue);
    } catch (error) {
      if (errorCode(error) !== 'NOT_FOUND') throw this.unavailable(error);
      await this.topology.redeclare(seen);
      return this.topology.depth(queue);
    }
  }

  async ping(): Promise<void> {
    await this.depth(QUEUES[0]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.drain(0)));
    this.replies.failAll('The task queue was closed');
    await this.publisher.close();
    await Promise.all([this.publishing.close(), this.consuming.close()]);
  }

  private link(url: string, name: string): RabbitLink {
    let wasLost = false;
    return new RabbitLink({
      url,
      name,
      timing: this.timing,
      onUp: () => {
        this.events.connected?.(this.isConnected);
        if (wasLost) this.events.reconnected?.();
        wasLost = false;
      },
      onDown: (cause) => {
        wasLost = true;
        this.topology.forget(); // it may restart with empty disks
        this.events.connected?.(false);
        this.events.warned?.(`No connection to the broker (${name})`, cause);
      },
    });
  }

  private async send(
    queue: QueueName,
    body: Buffer,
    task: Omit<NewTask, 'routingKey'>,
  ): Promise<void> {
    const envelope = taskEnvelope(
      { ...task, routingKey: this.topology.queueOf(queue) },
      Date.now(),
    );
    try {
      await this.sendRouted(queue, () => this.publisher.send(envelope, body));
      this.events.published?.(queue, 'confirmed');
    } catch (error) {
      this.events.published?.(queue, publishResultOf(error));
      throw error instanceof QueueFullError ? error : this.unavailable(error);
    }
  }

  /** Tried again after a failure that may pass: a missing queue is declared again, a nack gets pauses. */
  private async sendRouted(queue: QueueName, attempt: () => Promise<void>): Promise<void> {
    const seen = this.topology.version;
    try {
      await attempt();
    } catch (error) {
      if (error instanceof QueueFullError) return this.sendAfterNack(queue, attempt);
      if (!(error instanceof UnroutableError)) throw error;
      this.events.published?.(queue, 'returned');
      await this.topology.redeclare(seen);
      await attempt();
    }
  }

  /**
   * A nack may also come from a queue that is being declared or elects a leader: only a full queue is believed
   * at the second time, others have as long as a confirm may take.
   */
  private async sendAfterNack(queue: QueueName, attempt: () => Promise<void>): Promise<void> {
    const giveUpAt = performance.now() + this.timing.confirmWaitMs;
    for (let pauseMs = NACK_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_NACK_PAUSE_MS)) {
      await setTimeout(pauseMs);
      try {
        return await attempt();
      } catch (error) {
        const isNack = error instanceof QueueFullError && performance.now() < giveUpAt;
        if (!isNack || (await this.isFull(queue))) throw error;
        this.events.published?.(queue, 'nacked');
      }
    }
  }

  /** One question at a time, for all refused tasks of a batch. */
  private isFull(queue: QueueName): Promise<boolean> {
    const limit = Math.floor(this.maxLengths[queue] * REOPENS_AT);
    const asked =
      this.fullness.get(queue) ??
      this.topology
        .depth(queue)
        .then((depth) => depth >= limit)
        .finally(() => this.fullness.delete(queue));
    this.fullness.set(queue, asked);
    return asked;
  }

  private async sendAll(
    queue: QueueName,
    bodies: readonly Buffer[],
    { ttlMs }: PublishOptions,
    onRefused: (index: number, error: unknown) => void,
  ): Promise<void> {
    const sends = bodies.map((body, index) =>
      this.send(queue, body, { ttlMs }).catch((error: unknown) => onRefused(index, error)),
    );
    await Promise.all(sends);
  }

  private async carryOut(
    queue: QueueName,
    message: AsyncMessage,
    outcome: TaskOutcome,
  ): Promise<void> {
    switch (outcome.kind) {
      case 'ack':
        return this.reply(message, { kind: 'value', json: outcome.reply });
      case 'retry':
        return this.retry(queue, message, outcome.delayMs);
      case 'dead':
        return this.deadLetter(queue, message, outcome);
      case 'requeue':
        return undefined;
    }
  }

  private async reply(message: AsyncMessage, reply: Reply): Promise<void> {
    const envelope = replyEnvelope(message, reply);
    if (envelope !== null) await this.publisher.send(envelope, replyBody(reply));
  }

  private async retry(queue: QueueName, message: AsyncMessage, delayMs: number): Promise<void> {
    await this.sendRouted(queue, async () => {
      const envelope = retryEnvelope(message, await this.topology.retryQueueFor(queue, delayMs));
      await this.publisher.send(envelope, messageBytes(message), publishedAtOf(message));
    });
  }

  private async deadLetter(
    queue: QueueName,
    message: AsyncMessage,
    outcome: TaskOutcome & { kind: 'dead' },
  ): Promise<void> {
    const envelope = deadEnvelope(this.topology.deadQueueOf(queue), outcome.reason, outcome.detail);
    await this.sendRouted(queue, () =>
      this.publisher.send(envelope, messageBytes(message), publishedAtOf(message)),
    );
    await this.reply(message, { kind: 'failed', reason: outcome.detail });
  }

  private receiveReply(message: AsyncMessage): void {
    const id = message.correlationId ?? '';
    const failure = failureOf(message);
    if (failure !== null) this.replies.fail(id, new TaskFailedError(failure));
    else this.replies.answer(id, message.body);
  }

  private unavailable(error: unknown): BrokerUnavailableError {
    return error instanceof BrokerUnavailableError ? error : this.publishing.unavailable(error);
  }
}

interface Refusals {
  readonly indexes: number[];
  first: unknown;
}

function withRefused(error: unknown, indexes: readonly number[]): unknown {
  if (error instanceof QueueFullError || error instanceof BrokerUnavailableError)
    error.refusedIndexes = indexes;
  return error;
}

function publishResultOf(error: unknown): PublishResult {
  if (error instanceof QueueFullError) return 'nacked';
  return error instanceof UnroutableError ? 'returned' : 'timeout';
}
