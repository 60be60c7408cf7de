import type { AsyncMessage, Channel, Envelope, ReturnedMessage } from 'rabbitmq-client';
import { errorCode } from '@app/contracts';
import type { RabbitLink, RabbitTiming } from './rabbit-link.js';
import type { RabbitTopology } from './rabbit-topology.js';
import { BrokerUnavailableError, QueueFullError } from './task-errors.js';

/** Address of replies to this process: RabbitMQ's direct reply-to, which needs no queue. */
export const REPLY_TO = 'amq.rabbitmq.reply-to';

/** No queue accepted the message: it does not exist (any more). */
export class UnroutableError extends Error {
  override readonly name = 'UnroutableError';
}

export interface RabbitPublisherOptions {
  readonly link: RabbitLink;
  readonly topology: RabbitTopology;
  readonly timing: RabbitTiming;
  readonly onReply: (message: AsyncMessage) => void;
  /** The channel was lost: replies to its messages cannot arrive any more. */
  readonly onChannelLost: () => void;
}

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly sentAtMs: number;
  isReturned: boolean;
}

/**
 * Publishes with confirms on one channel and receives replies on it (direct reply-to needs the same channel for
 * both). The channel is opened at first use and again after a loss.
 */
export class RabbitPublisher {
  private channel: Channel | null = null;
  private opening: Promise<Channel> | null = null;
  /** Unconfirmed messages by message id, oldest first. */
  private readonly pending = new Map<string, Pending>();
  private lastSequence = 0;
  private sweeper: NodeJS.Timeout | null = null;
  private onIdle: () => void = () => undefined;

  constructor(private readonly options: RabbitPublisherOptions) {}

  get unconfirmed(): number {
    return this.pending.size;
  }

  /**
   * Resolves when the broker has stored the message.
   * @throws UnroutableError (only with `mandatory`) | QueueFullError | BrokerUnavailableError
   */
  async send(envelope: Envelope, body: Buffer, publishedAtMs = Date.now()): Promise<void> {
    const channel = await this.open();
    // The property `timestamp` counts seconds, so the id contains the milliseconds.
    const messageId = `${publishedAtMs}-${++this.lastSequence}`;
    return new Promise((resolve, reject) => {
      this.pending.set(messageId, {
        resolve,
        reject,
        sentAtMs: performance.now(),
        isReturned: false,
      });
      this.sweeper ??= this.startSweeper();
      channel.basicPublish({ ...envelope, messageId, contentType: 'application/json' }, body).then(
        // The client reports a return one turn of the event loop after the confirm that followed it.
        () => setImmediate(() => this.confirmed(messageId)),
        (error: unknown) => this.failed(messageId, error),
      );
    });
  }

  /** Waits for unconfirmed messages, within the confirm time, and closes the channel. */
  async close(): Promise<void> {
    if (this.pending.size > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    this.stopSweeper();
    await this.channel?.close();
  }

  private open(): Promise<Channel> {
    if (this.channel?.active) return this.usable(this.channel);
    this.opening ??= this.openChannel().finally(() => (this.opening = null));
    return this.opening;
  }

  /** Data written to a blocked connection would accumulate in memory: refuse at once. */
  private async usable(channel: Channel): Promise<Channel> {
    const { link } = this.options;
    if (!link.isUp)
      throw link.unavailable(new Error('it is short of memory or disk, or the connection is gone'));
    return channel;
  }

  private async openChannel(): Promise<Channel> {
    const { link, topology, onReply, onChannelLost } = this.options;
    try {
      await topology.ensure();
      const channel = await link.acquire();
      channel.on('basic.return', (message) => this.returned(message));
      channel.once('close', onChannelLost);
      await channel.confirmSelect();
      await channel.basicConsume({ queue: REPLY_TO, noAck: true }, onReply);
      this.channel = channel;
      return channel;
    } catch (error) {
      throw error instanceof BrokerUnavailableError ? error : link.unavailable(error);
    }
  }

  private returned(message: ReturnedMessage): void {
    const pending = this.pending.get(message.messageId ?? '');
    if (pending !== undefined) pending.isReturned = true;
  }

  private confirmed(messageId: string): void {
    const pending = this.take(messageId);
    if (pending?.isReturned) pending.reject(new UnroutableError('No such queue'));
    else pending?.resolve();
  }

  private failed(messageId: string, error: unknown): void {
    const pending = this.take(messageId);
    if (errorCode(error) === 'NACK')
      pending?.reject(new QueueFullError('The queue is full', { cause: error }));
    else pending?.reject(this.options.link.unavailable(error));
  }

  private take(messageId: string): Pending | undefined {
    const pending = this.pending.get(messageId);
    this.pending.delete(messageId);
    if (this.pending.size === 0) this.onIdle();
    return pending;
  }

  /** One timer for all messages: one per message would cost more than the message. */
  private startSweeper(): NodeJS.Timeout {
    return setInterval(() => this.sweep(), Math.max(50, this.options.timing.confirmWaitMs / 10));
  }

  private sweep(): void {
    if (this.pending.size === 0) return this.stopSweeper();
    const tooOldMs = performance.now() - this.options.timing.confirmWaitMs;
    for (const [messageId, { sentAtMs }] of this.pending) {
      if (sentAtMs > tooOldMs) return;
      this.failed(messageId, new Error('The broker did not confirm in time'));
    }
  }

  private stopSweeper(): void {
    if (this.sweeper !== null) clearInterval(this.sweeper);
    this.sweeper = null;
  }
}
