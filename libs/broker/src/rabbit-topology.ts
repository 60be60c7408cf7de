import { type QueueName, errorCode } from '@app/contracts';
import type { Channel, Cmd, MethodParams } from 'rabbitmq-client';
import type { MaxLengths } from './queue-limits.js';
import { within, type RabbitLink } from './rabbit-link.js';
import { DEAD_LETTER_MS } from './rabbit-message.js';
import { MAX_DELIVERIES } from './task-outcome.js';

const MAX_DEAD_LETTERS = 10_000;
/**
 * A request that returned from a retry queue has lost its time to live (RabbitMQ removes it), and without a
 * consumer would wait forever. Longer than any deadline of a request.
 */
const REQUEST_TTL_MS = 3600 * 1000;
/**
 * Delays that have a queue. One queue per delay, because a queue releases its messages in order: a short delay
 * would wait behind a long one. A requested delay is rounded up to the next of these.
 */
const RETRY_STEPS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 120_000, 300_000] as const;
/**
 * The broker's delivery limit is only a backstop above MAX_DELIVERIES, which keeps the reason (RabbitMQ 4 would
 * set 20).
 */
const DELIVERY_BACKSTOP = MAX_DELIVERIES * 5;

type QueueArguments = MethodParams[Cmd.QueueDeclare]['arguments'];

export interface RabbitTopologyOptions {
  readonly prefix: string;
  readonly queues: readonly QueueName[];
  readonly maxLengths: MaxLengths;
  readonly responseWaitMs: number;
  readonly warned: (message: string, cause?: unknown) => void;
}

/**
 * The queues in the broker: declared on every new connection and again when one is missing. All are quorum
 * queues. A work queue has no dead-letter exchange: expired messages are void and vanish, and the consumer
 * publishes dead letters with their reason.
 */
export class RabbitTopology {
  private declared: Promise<void> | null = null;
  private readonly retryQueues = new Map<string, Promise<void>>();
  private generation = 0;

  constructor(
    private readonly link: RabbitLink,
    private readonly options: RabbitTopologyOptions,
  ) {}

  /** Changes with every declaration: pass it to {@link redeclare}. */
  get version(): number {
    return this.generation;
  }

  queueOf(queue: QueueName): string {
    return `${this.options.prefix}.${queue}`;
  }

  deadQueueOf(queue: QueueName): string {
    return `${this.queueOf(queue)}.dead`;
  }

  ensure(): Promise<void> {
    this.declared ??= this.declareAll().catch((error: unknown) => {
      this.declared = null;
      throw error;
    });
    return this.declared;
  }

  /** The queues may be gone: the next {@link ensure} declares them again. */
  forget(): void {
    this.declared = null;
    this.retryQueues.clear();
    this.generation++;
  }

  /** Declares them again, once for all callers that saw the same version fail. */
  redeclare(seenVersion: number): Promise<void> {
    if (seenVersion === this.generation) this.forget();
    return this.ensure();
  }

  /** The declared queue whose messages return to `queue` after at least `delayMs`. */
  async retryQueueFor(queue: QueueName, delayMs: number): Promise<string> {
    const stepMs =
      RETRY_STEPS_MS.find((step) => step >= delayMs) ?? RETRY_STEPS_MS[RETRY_STEPS_MS.length - 1];
    const name = `${this.queueOf(queue)}.retry.${stepMs}`;
    const known =
      this.retryQueues.get(name) ?? this.declareRetryQueue(name, queue, stepMs ?? delayMs);
    this.retryQueues.set(name, known);
    await known;
    return name;
  }

  /** @throws when the queue is missing (code NOT_FOUND) or the broker is silent. */
  async depth(queue: QueueName): Promise<number> {
    return this.withChannel(async (channel) => {
      const { messageCount } = await channel.queueDeclare({
        queue: this.queueOf(queue),
        passive: true,
      });
      return messageCount;
    });
  }

  private async declareAll(): Promise<void> {
    await Promise.all(
      this.options.queues.flatMap((queue) => [
        this.declareWorkQueue(queue),
        this.declareDeadQueue(queue),
      ]),
    );
  }

  private declareWorkQueue(queue: QueueName): Promise<void> {
    return this.declare(this.queueOf(queue), {
      'x-max-length': this.options.maxLengths[queue],
      'x-overflow': 'reject-publish',
      'x-delivery-limit': DELIVERY_BACKSTOP,
      // Pages of crawls are not void before a fetcher has seen that their lease expired.
      ...(queue === 'crawl' ? {} : { 'x-message-ttl': REQUEST_TTL_MS }),
    });
  }

  private declareDeadQueue(queue: QueueName): Promise<void> {
    return this.declare(this.deadQueueOf(queue), {
      'x-max-length': MAX_DEAD_LETTERS,
      'x-overflow': 'drop-head',
      'x-message-ttl': DEAD_LETTER_MS,
    });
  }

  /** At-least-once, because the default dead-lettering loses messages that a full target queue refuses. */
  private declareRetryQueue(name: string, queue: QueueName, ttlMs: number): Promise<void> {
    const declared = this.declare(name, {
      'x-max-length': this.options.maxLengths[queue],
      'x-overflow': 'reject-publish',
      'x-message-ttl': ttlMs,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': this.queueOf(queue),
      'x-dead-letter-strategy': 'at-least-once',
    });
    declared.catch(() => this.retryQueues.delete(name));
    return declared;
  }

  private async declare(queue: string, options: QueueArguments): Promise<void> {
    const queueArguments: QueueArguments = { 'x-queue-type': 'quorum', ...options };
    try {
      await this.withChannel((channel) =>
        channel.queueDeclare({ queue, durable: true, arguments: queueArguments }),
      );
    } catch (error) {
      if (errorCode(error) !== 'PRECONDITION_FAILED') throw error;
      // Declared by an older or newer release, or with other settings: its limits stay until it is deleted.
      await this.withChannel((channel) => channel.queueDeclare({ queue, passive: true }));
      this.options.warned(`Queue ${queue} exists with other arguments and keeps them`, error);
    }
  }

  /** A separate channel each: a refused declaration closes its channel. */
  private async withChannel<T>(use: (channel: Channel) => Promise<T>): Promise<T> {
    const channel = await this.link.acquire();
    try {
      return await within(this.options.responseWaitMs, use(channel));
    } finally {
      void channel.close();
    }
  }
}
