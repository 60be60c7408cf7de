import type { TaskOwner } from '@app/contracts';
import type { History, Reply } from './task-outcome.js';

/** A message of the in-process broker. The task stays JSON until delivery: nothing is shared by reference. */
export interface MemoryMessage {
  readonly json: string;
  readonly publishedAtMs: number;
  /** Epoch milliseconds after which it is void; Infinity for never. */
  readonly voidAtMs: number;
  readonly history: History;
  readonly owner: TaskOwner | null;
  readonly traceparent: string | null;
  readonly answer: ((reply: Reply) => void) | null;
}

export interface MemoryDeadLetter {
  readonly json: string;
  readonly reason: string;
}

/** A consumer, as its lane sees it. */
export interface Taker {
  /** Takes the next message, if it has room. */
  take(): boolean;
  /** Messages it took that wait for a slot. */
  readonly waiting: number;
  /** Discards the void ones among them. */
  dropVoid(): void;
}

const MAX_DEAD_LETTERS = 1000;
/** The served front of `ready` is cut off at this length, so that serving stays O(1). */
const COMPACT_AT = 1024;

/** One queue: ordered, bounded messages, with its delayed ones and its last dead letters. */
export class InMemoryLane {
  private ready: MemoryMessage[] = [];
  private head = 0;
  private readonly delayed = new Set<NodeJS.Timeout>();
  private readonly dead: MemoryDeadLetter[] = [];
  private lastTurn = 0;
  private readonly takers: Taker[] = [];

  constructor(
    private readonly maxLength: number,
    private readonly now: () => number,
  ) {}

  /** Messages without a handler, wherever they wait. */
  get depth(): number {
    for (const taker of this.takers) taker.dropVoid();
    return this.unassigned + this.waitingAtTakers;
  }

  /** Waiting and delayed messages; those in flight do not count, as in RabbitMQ. */
  get isFull(): boolean {
    const known = this.unassigned + this.waitingAtTakers + this.delayed.size;
    return known >= this.maxLength && this.dropVoid() >= this.maxLength;
  }

  get deadLetters(): readonly MemoryDeadLetter[] {
    return this.dead;
  }

  push(message: MemoryMessage): void {
    this.ready.push(message);
    this.offer();
  }

  /** Requeued: served before all waiting messages. */
  putBack(message: MemoryMessage): void {
    if (this.head > 0) this.ready[--this.head] = message;
    else this.ready.unshift(message);
    this.offer();
  }

  pushLater(message: MemoryMessage, delayMs: number): void {
    const timer = setTimeout(() => {
      this.delayed.delete(timer);
      this.push(message);
    }, delayMs);
    this.delayed.add(timer);
  }

  deadLetter(letter: MemoryDeadLetter): void {
    this.dead.push(letter);
    if (this.dead.length > MAX_DEAD_LETTERS) this.dead.shift();
  }

  take(): MemoryMessage | undefined {
    this.skipVoid();
    const message = this.ready[this.head];
    if (message === undefined) return undefined;
    this.head++;
    this.compact();
    return message;
  }

  /** Consumers are offered messages in turn. */
  addTaker(taker: Taker): void {
    this.takers.push(taker);
    this.offer();
  }

  removeTaker(taker: Taker): void {
    const index = this.takers.indexOf(taker);
    if (index >= 0) this.takers.splice(index, 1);
  }

  /** Delivers messages while there are messages and consumers with room. */
  offer(): void {
    while (this.unassigned > 0 && this.offerOnce());
  }

  clear(): void {
    for (const timer of this.delayed) clearTimeout(timer);
    this.delayed.clear();
    this.ready = [];
    this.head = 0;
  }

  private get unassigned(): number {
    this.skipVoid();
    return this.ready.length - this.head;
  }

  private get waitingAtTakers(): number {
    return this.takers.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  private offerOnce(): boolean {
    for (let i = 0; i < this.takers.length; i++) {
      this.lastTurn = (this.lastTurn + 1) % this.takers.length;
      if (this.takers[this.lastTurn]?.take()) return true;
    }
    return false;
  }

  private skipVoid(): void {
    for (;;) {
      const next = this.ready[this.head];
      if (next === undefined || next.voidAtMs > this.now()) return this.compact();
      this.head++;
    }
  }

  /** Checks all messages, not only the first. Returns how many remain, including delayed ones. */
  private dropVoid(): number {
    const nowMs = this.now();
    this.ready = this.ready.slice(this.head).filter((message) => message.voidAtMs > nowMs);
    this.head = 0;
    for (const taker of this.takers) taker.dropVoid();
    return this.ready.length + this.delayed.size + this.waitingAtTakers;
  }

  private compact(): void {
    if (this.head < COMPACT_AT || this.head * 2 < this.ready.length) return;
    this.ready = this.ready.slice(this.head);
    this.head = 0;
  }
}
