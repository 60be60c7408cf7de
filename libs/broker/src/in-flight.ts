import type { QueueName, TaskOwner } from '@app/contracts';
import type { ConsumeResult, TaskQueueEvents } from './task-queue-events.js';
import type { Delivery, TaskHandler } from './task-queue.js';
import { consumeResultOf, runHandler, type History, type TaskOutcome } from './task-outcome.js';

/** A delivered message. */
export interface Incoming {
  readonly task: unknown;
  readonly history: History;
  readonly publishedAtMs: number;
  readonly owner: TaskOwner | null;
  readonly traceparent: string | null;
  readonly expectsReply: boolean;
  /** Carries the outcome out. Must not reject. */
  settle(outcome: TaskOutcome): void | Promise<void>;
}

export interface InFlightOptions {
  readonly queue: QueueName;
  readonly handler: TaskHandler;
  readonly events: TaskQueueEvents;
  /** A handler has ended: there may be room for the next task. */
  readonly onFree: (owner: TaskOwner | null) => void;
}

/**
 * The tasks of one consumer. A task is `running` until its handler ends, then `settling` until the broker has
 * its outcome, then removed. One that is requeued early is `lost`: its signal aborts and its handler's outcome
 * is ignored, but it keeps its slot until the handler ends, so that a reconnect cannot double the load.
 */
export class InFlight {
  private readonly works = new Set<RunningTask>();
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: InFlightOptions) {}

  get size(): number {
    return this.works.size;
  }

  start(incoming: Incoming): void {
    const work = new RunningTask(incoming);
    const { queue, events } = this.options;
    this.works.add(work);
    events.inFlight?.(queue, this.works.size);
    events.age?.(queue, Math.max(0, Date.now() - incoming.publishedAtMs) / 1000);
    void this.run(work);
  }

  /** Whether all work ended within the time. */
  idle(timeoutMs: number): Promise<boolean> {
    if (this.works.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs, false);
      this.idleWaiters.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Aborts running tasks and requeues them. Returns how many. */
  async requeueAll(): Promise<number> {
    const running = this.lose();
    for (const work of running) {
      this.report(work, 'drained');
      await work.incoming.settle({ kind: 'requeue' });
    }
    return running.length;
  }

  /** Aborts running tasks whose broker connection is lost: the broker redelivers them by itself. */
  lose(): readonly RunningTask[] {
    const running = [...this.works].filter((work) => work.state === 'running');
    for (const work of running) work.lose();
    return running;
  }

  private async run(work: RunningTask): Promise<void> {
    const { incoming } = work;
    const outcome = await runHandler(this.options.handler, work, {
      expectsReply: incoming.expectsReply,
      isLastTry: incoming.history.deliveries > 0,
    });
    if (work.state === 'running') {
      work.state = 'settling';
      this.report(work, consumeResultOf(outcome));
      await incoming.settle(outcome);
      if (outcome.kind === 'dead')
        this.options.events.deadLettered?.(this.options.queue, outcome.reason);
    }
    this.finish(work);
  }

  private finish(work: RunningTask): void {
    this.works.delete(work);
    this.options.events.inFlight?.(this.options.queue, this.works.size);
    if (this.works.size === 0) {
      for (const wake of this.idleWaiters.splice(0)) wake();
    }
    this.options.onFree(work.owner);
  }

  private report(work: RunningTask, result: ConsumeResult): void {
    const { queue, events } = this.options;
    events.processed?.(queue, result, (performance.now() - work.startedMs) / 1000);
    events.consumed?.(queue, result, work.redelivered);
  }
}

/** Its states: see {@link InFlight}. */
class RunningTask implements Delivery {
  state: 'running' | 'settling' | 'lost' = 'running';
  readonly startedMs = performance.now();
  private readonly controller = new AbortController();

  constructor(readonly incoming: Incoming) {}

  get task(): unknown {
    return this.incoming.task;
  }

  get redelivered(): boolean {
    const { deliveries, retries } = this.incoming.history;
    return deliveries + retries > 0;
  }

  get publishedAtMs(): number {
    return this.incoming.publishedAtMs;
  }

  get owner(): TaskOwner | null {
    return this.incoming.owner;
  }

  get traceparent(): string | null {
    return this.incoming.traceparent;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  lose(): void {
    this.state = 'lost';
    this.controller.abort(new Error('The task was returned to the queue'));
  }
}
