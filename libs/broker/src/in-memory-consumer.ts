import { InFlight, type Incoming, type InFlightOptions } from './in-flight.js';
import type { InMemoryLane, MemoryMessage } from './in-memory-lane.js';
import type { TaskConsumer, TaskHandler } from './task-queue.js';
import { poisonDetail, type Verdict } from './verdict.js';

type Options = Omit<InFlightOptions, 'onFree'> & { readonly concurrency: number };

/** Takes messages from a lane while it has room, and carries the verdicts back to it. */
export class InMemoryConsumer implements TaskConsumer {
  private readonly work: InFlight;
  private isStopped = false;
  private concurrency: number;

  constructor(
    private readonly lane: InMemoryLane,
    private readonly options: Options,
  ) {
    this.concurrency = options.concurrency;
    const handler: TaskHandler = async (delivery) => {
      await Promise.resolve(); // never inside the call that published
      return options.handler(delivery);
    };
    this.work = new InFlight({ ...options, handler, onFree: () => this.lane.offer() });
    lane.addTaker(this.take);
  }

  get inFlight(): number {
    return this.work.size;
  }

  setConcurrency(concurrency: number): void {
    this.concurrency = concurrency;
    this.lane.offer();
  }

  async drain(timeoutMs: number): Promise<{ readonly abandoned: number }> {
    this.isStopped = true;
    this.lane.removeTaker(this.take);
    if (await this.work.idle(timeoutMs)) return { abandoned: 0 };
    return { abandoned: await this.work.giveBack() };
  }

  private readonly take = (): boolean => {
    if (this.isStopped || this.work.size >= this.concurrency) return false;
    const message = this.lane.take();
    if (message === undefined) return false;
    const poison = poisonDetail(message.history);
    if (poison !== null) this.bury(message, poison);
    else this.work.start(this.incomingOf(message));
    return true;
  };

  private incomingOf(message: MemoryMessage): Incoming {
    return {
      task: JSON.parse(message.json),
      history: message.history,
      publishedAtMs: message.publishedAtMs,
      expectsReply: message.answer !== null,
      settle: (verdict) => this.settle(message, verdict),
    };
  }

  private settle(message: MemoryMessage, verdict: Verdict): void {
    const { deliveries, retries } = message.history;
    switch (verdict.kind) {
      case 'ack':
        return message.answer?.({ kind: 'value', json: verdict.reply });
      case 'requeue':
        return this.lane.putBack({ ...message, history: { deliveries: deliveries + 1, retries } });
      case 'retry':
        return this.lane.pushLater(
          { ...message, history: { deliveries: 0, retries: retries + 1 } },
          verdict.delayMs,
        );
      case 'dead':
        this.lane.bury({ json: message.json, reason: verdict.detail });
        return message.answer?.({ kind: 'failed', reason: verdict.detail });
    }
  }

  private bury(message: MemoryMessage, detail: string): void {
    const { queue, events } = this.options;
    events.consumed?.(queue, 'dead', true);
    events.deadLettered?.(queue, 'poison');
    this.settle(message, { kind: 'dead', reason: 'poison', detail });
  }
}
