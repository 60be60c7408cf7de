/** Equal calls that wait for the same statement. */
export interface EqualCalls<Call> {
  readonly call: Call;
  readonly count: number;
}

export interface CoalescerOptions<Call, Answer> {
  /** Calls of one name are equal: the statement has them once, with their count. */
  readonly nameOf: (call: Call) => string;
  /** Statements at a time. */
  readonly maxStatements: number;
  /** Names in one statement. */
  readonly maxNames: number;
  /** Runs one statement. @returns for each name the answer to its nth call, in order of arrival, from 0 */
  readonly send: (
    calls: readonly EqualCalls<Call>[],
  ) => Promise<readonly ((n: number) => Answer)[]>;
}

interface Waiter<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Pending<Call, Answer> {
  readonly name: string;
  readonly call: Call;
  readonly waiters: Waiter<Answer>[];
}

/**
 * Runs one statement for many calls of a process. Calls that arrive in one turn of the event loop, or while all
 * statements are busy, are sent together: a busy process sends a few large statements instead of many small ones,
 * and an idle one sends at once. One name has one statement in flight, so a flood of one tenant uses one connection
 * and one lock.
 */
export class Coalescer<Call, Answer> {
  private readonly waiting = new Map<string, Pending<Call, Answer>>();
  private readonly underWay = new Set<string>();
  private statements = 0;
  private isDue = false;

  constructor(private readonly options: CoalescerOptions<Call, Answer>) {}

  /** @throws as `send` */
  call(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.pendingOf(call).waiters.push({ resolve, reject });
      this.sendSoon();
    });
  }

  private pendingOf(call: Call): Pending<Call, Answer> {
    const name = this.options.nameOf(call);
    const known = this.waiting.get(name);
    if (known) return known;
    const pending: Pending<Call, Answer> = { name, call, waiters: [] };
    this.waiting.set(name, pending);
    return pending;
  }

  /** When all that has arrived is read. */
  private sendSoon(): void {
    const isBusy = this.statements >= this.options.maxStatements;
    if (this.isDue || this.waiting.size === 0 || isBusy) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.sendAll();
    });
  }

  private sendAll(): void {
    while (this.statements < this.options.maxStatements) {
      const batch = this.next();
      if (batch.length === 0) return;
      void this.send(batch);
    }
  }

  /** What can be sent now, first come, first served. */
  private next(): readonly Pending<Call, Answer>[] {
    const batch: Pending<Call, Answer>[] = [];
    for (const pending of this.waiting.values()) {
      if (batch.length === this.options.maxNames) break;
      if (this.underWay.has(pending.name)) continue;
      this.waiting.delete(pending.name);
      this.underWay.add(pending.name);
      batch.push(pending);
    }
    return batch;
  }

  /** Never rejects: the callers get the error. */
  private async send(batch: readonly Pending<Call, Answer>[]): Promise<void> {
    this.statements++;
    try {
      const calls = batch.map(({ call, waiters }) => ({ call, count: waiters.length }));
      const answers = await this.options.send(calls);
      for (const [at, answerTo] of answers.entries())
        batch[at]?.waiters.forEach(({ resolve }, n) => resolve(answerTo(n)));
    } catch (error) {
      for (const { waiters } of batch) for (const { reject } of waiters) reject(error);
    } finally {
      this.statements--;
      for (const { name } of batch) this.underWay.delete(name);
      this.sendSoon();
    }
  }
}
