import type { TaskOwner } from '@app/contracts';
import { slotsByTenant, slotsInOrder, TenantTurns, type SlotLimits } from '@app/turns';
import { InFlight, type Incoming, type InFlightOptions } from './in-flight.js';
import type { InMemoryLane, MemoryMessage, Taker } from './in-memory-lane.js';
import type { TaskConsumer, TaskHandler } from './task-queue.js';
import { poisonDetail, type TaskOutcome } from './task-outcome.js';

interface Options extends Omit<InFlightOptions, 'onFree'> {
  readonly concurrency: number;
  readonly isFair?: boolean;
  readonly now: () => number;
}

/** Takes messages from a lane while it has room, and reports their outcomes to it. */
export class InMemoryConsumer implements TaskConsumer, Taker {
  private readonly work: InFlight;
  private readonly turns: TenantTurns<MemoryMessage>;
  private readonly isFair: boolean;
  private isStopped = false;
  private concurrency: number;

  constructor(
    private readonly lane: InMemoryLane,
    private readonly options: Options,
  ) {
    this.concurrency = options.concurrency;
    this.isFair = options.isFair ?? false;
    this.turns = new TenantTurns(this.slots);
    const handler: TaskHandler = async (delivery) => {
      await Promise.resolve(); // never within the publishing call
      return options.handler(delivery);
    };
    this.work = new InFlight({ ...options, handler, onFree: (owner) => this.free(owner) });
    lane.addTaker(this);
    options.events.slots?.(options.queue, this.slots.total);
  }

  get inFlight(): number {
    return this.work.size;
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  dropVoid(): void {
    const nowMs = this.options.now();
    this.turns.remove(({ voidAtMs }) => voidAtMs <= nowMs);
  }

  setConcurrency(concurrency: number): void {
    this.concurrency = concurrency;
    this.turns.resize(this.slots);
    this.options.events.slots?.(this.options.queue, this.slots.total);
    this.beginWaiting();
    this.lane.offer();
  }

  async drain(timeoutMs: number): Promise<{ readonly abandoned: number }> {
    this.isStopped = true;
    this.options.events.slots?.(this.options.queue, 0);
    this.lane.removeTaker(this);
    for (const message of this.turns.remove(() => true).toReversed()) this.lane.putBack(message);
    if (await this.work.idle(timeoutMs)) return { abandoned: 0 };
    return { abandoned: await this.work.requeueAll() };
  }

  /** A fair consumer takes all messages of the lane: only then it knows those of every tenant. */
  take(): boolean {
    if (this.isStopped) return false;
    if (!this.isFair && this.work.size >= this.concurrency) return false;
    const message = this.lane.take();
    if (message === undefined) return false;
    this.turns.add(message, message.owner);
    this.beginWaiting();
    return true;
  }

  private get slots(): SlotLimits {
    return this.isFair ? slotsByTenant(this.concurrency) : slotsInOrder(this.concurrency);
  }

  private free(owner: TaskOwner | null): void {
    this.turns.release(owner);
    this.beginWaiting();
    this.lane.offer();
  }

  private beginWaiting(): void {
    for (let next = this.turns.next(); next !== null; next = this.turns.next()) this.begin(next);
  }

  private begin(message: MemoryMessage): void {
    const poison = poisonDetail(message.history);
    const isVoid = message.voidAtMs <= this.options.now();
    if (poison === null && !isVoid) return this.work.start(this.incomingOf(message));
    this.turns.release(message.owner);
    if (poison !== null && !isVoid) this.deadLetter(message, poison);
  }

  private incomingOf(message: MemoryMessage): Incoming {
    return {
      task: JSON.parse(message.json),
      history: message.history,
      publishedAtMs: message.publishedAtMs,
      owner: message.owner,
      traceparent: message.traceparent,
      expectsReply: message.answer !== null,
      settle: (outcome) => this.settle(message, outcome),
    };
  }

  private settle(message: MemoryMessage, outcome: TaskOutcome): void {
    const { deliveries, retries } = message.history;
    switch (outcome.kind) {
      case 'ack':
        return message.answer?.({ kind: 'value', json: outcome.reply });
      case 'requeue':
        return this.lane.putBack({ ...message, history: { deliveries: deliveries + 1, retries } });
      case 'retry':
        return this.lane.pushLater(
          { ...message, history: { deliveries: 0, retries: retries + 1 } },
          outcome.delayMs,
        );
      case 'dead':
        this.lane.deadLetter({ json: message.json, reason: outcome.detail });
        return message.answer?.({ kind: 'failed', reason: outcome.detail });
    }
  }

  private deadLetter(message: MemoryMessage, detail: string): void {
    const { queue, events } = this.options;
    events.consumed?.(queue, 'dead', true);
    events.deadLettered?.(queue, 'poison');
    this.settle(message, { kind: 'dead', reason: 'poison', detail });
  }
}
