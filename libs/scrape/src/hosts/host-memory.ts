import { rungLevel, type ErrorClass, type RememberedRung, type Rung } from '@app/contracts';
import { pathShape } from '@app/crawl';
import {
  forgetHost,
  learnHost,
  OTHER_SHAPES,
  recallHost,
  takeHostProbe,
  WHOLE_HOST,
} from './host-rows.js';
import { waitAtMost } from '@app/runtime';
import type { Database } from '@app/database';

/** Hosts and shapes of their paths together. */
const MAX_ENTRIES = 20_000;
/**
 * How long a host's entry is used without reading the database again: other processes' findings are seen this
 * late.
 */
const FRESH_MS = 5_000;
/** The same finding is written at most this often. */
const RELEARN_MS = 60_000;
const TTL_MS = 24 * 3_600_000;
/** Longest wait of a page for the database: it can be fetched without the answer. */
const MAX_WAIT_MS = 500;
/** This many shapes that need a browser, with none that does not, decide for the other shapes of the host. */
export const SHAPES_FOR_ALL = 3;

export interface HostMemoryOptions {
  readonly database: Database;
  /** Called with failures; pages are then fetched as if the host were unknown. */
  readonly onProblem: (what: 'recall' | 'learn' | 'forget', error: unknown) => void;
  /** @default 24 hours */
  readonly ttlMs?: number;
  /** @default 20,000 */
  readonly maxEntries?: number;
  /** @default 500 */
  readonly maxWaitMs?: number;
  readonly now?: () => number;
}

export interface RecalledRung extends RememberedRung {
  /** The scope of the entry: a shape of path, the whole host or its other shapes. For `forget`. */
  readonly shape: string;
  /**
   * Start with the cheap rungs nevertheless: one page in the cluster does so every few minutes. If one of them
   * succeeds, `forget` the entry; if they fail as before, `learn` it again.
   */
  readonly isProbe: boolean;
}

interface Knowledge {
  readonly rung: Rung;
  /** Null: the rung succeeded, and none below it had failed. */
  readonly errorClass: ErrorClass | null;
  readonly learnedAtMs: number;
  readonly isProbeDue: boolean;
}

type LearnedRung = Knowledge & { readonly errorClass: ErrorClass };

interface Entry {
  /** By shape; empty: the host is unknown. */
  readonly shapes: ReadonlyMap<string, Knowledge>;
  readonly freshUntilMs: number;
}

interface Write {
  wanted: Knowledge | null;
  done: Promise<void>;
}

const NOTHING: ReadonlyMap<string, Knowledge> = new Map();

/**
 * Which rung works for the pages of a host (`URL.host`) whose paths have one shape, shared by the cluster
 * through SQL. One page that needs a browser proves nothing about others: they start with the cheap rungs until
 * a page of their own shape needed it. A bot wall counts for the whole host. A small copy in the process saves a
 * crawl from reading it for each page; this process sees its own findings at once.
 */
export class HostMemory {
  /** By host, in order of last use. */
  private readonly entries = new Map<string, Entry>();
  private size = 0;
  private readonly reads = new Map<string, Promise<void>>();
  private readonly writes = new Map<string, Write>();
  private readonly now: () => number;
  private readonly maxWaitMs: number;

  constructor(private readonly options: HostMemoryOptions) {
    this.now = options.now ?? Date.now;
    this.maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
  }

  /** The rung to start with; null: the cheapest. Never rejects. */
  async recall({ host, pathname }: URL): Promise<RecalledRung | null> {
    if (!this.isFresh(host)) await this.readOnce(host);
    const entry = this.entries.get(host);
    const found = entry && learnedRungFor(entry.shapes, pathShape(pathname));
    if (!entry || !found) return null;
    this.entries.delete(host);
    this.entries.set(host, entry);
    const { shape, learned } = found;
    const { rung, errorClass, learnedAtMs } = learned;
    const ageMs = Math.max(0, this.now() - learnedAtMs);
    const isProbe = learned.isProbeDue && (await this.takeProbe(host, shape, learned));
    return { shape, rung, errorClass, ageMs, isProbe };
  }

  /**
   * The rung succeeded where those below failed with `errorClass`; a rung that runs no scripts, where it only seemed to
   * bring a shell (`js_shell`). Never rejects; resolves when it is written, or after the maximum wait.
   */
  async learn({ host, pathname }: URL, rung: Rung, errorClass: ErrorClass): Promise<void> {
    const shape = errorClass === 'blocked' ? WHOLE_HOST : pathShape(pathname);
    await this.learnShape(host, shape, { rung, errorClass });
    const shapes = this.entries.get(host)?.shapes ?? NOTHING;
    if (needsBrowser({ rung, errorClass }) && decideForOthers(shapes))
      await this.learnShape(host, OTHER_SHAPES, { rung, errorClass });
  }

  /**
   * The first rung succeeded. A row is only useful on hosts with shapes that need a browser, and one is enough:
   * it keeps those shapes from deciding for the others. Never rejects.
   */
  async confirmCheap({ host, pathname }: URL, rung: Rung): Promise<void> {
    const known = [...(this.entries.get(host)?.shapes.values() ?? [])];
    if (isRendering(rung) || !known.some(needsBrowser) || known.some(isCheap)) return;
    await this.learnShape(host, pathShape(pathname), { rung, errorClass: null });
  }

  /** The recalled entry no longer holds. Never rejects. */
  async forget({ host }: URL, { shape }: Pick<RecalledRung, 'shape'>): Promise<void> {
    this.remember(host, shape, null);
    await this.save(host, shape, null);
  }

  private async learnShape(
    host: string,
    shape: string,
    { rung, errorClass }: Pick<Knowledge, 'rung' | 'errorClass'>,
  ): Promise<void> {
    const known = this.isFresh(host) ? this.entries.get(host)?.shapes.get(shape) : undefined;
    const isSame = known?.rung === rung && known.errorClass === errorClass;
    if (isSame && this.now() - known.learnedAtMs < RELEARN_MS) return;
    const knowledge = { rung, errorClass, learnedAtMs: this.now(), isProbeDue: false };
    this.remember(host, shape, knowledge);
    await this.save(host, shape, knowledge);
  }

  private isFresh(host: string): boolean {
    const entry = this.entries.get(host);
    return entry !== undefined && this.now() < entry.freshUntilMs;
  }

  private remember(host: string, shape: string, knowledge: Knowledge | null): void {
    const shapes = new Map(this.entries.get(host)?.shapes);
    if (knowledge) shapes.set(shape, knowledge);
    else shapes.delete(shape);
    const { freshUntilMs = 0 } = this.entries.get(host) ?? {};
    const isFresh = this.now() < freshUntilMs;
    this.put(host, { shapes, freshUntilMs: isFresh ? freshUntilMs : this.now() + FRESH_MS });
  }

  private put(host: string, entry: Entry): void {
    this.drop(host);
    this.entries.set(host, entry);
    this.size += sizeOf(entry);
    const { maxEntries = MAX_ENTRIES } = this.options;
    for (const [oldest] of this.entries) {
      if (this.size <= maxEntries || oldest === host) break;
      this.drop(oldest);
    }
  }

  private drop(host: string): void {
    const entry = this.entries.get(host);
    if (!entry) return;
    this.entries.delete(host);
    this.size -= sizeOf(entry);
  }

  private readOnce(host: string): Promise<void> {
    const reading = this.reads.get(host);
    if (reading) return reading;
    const read = this.read(host).finally(() => this.reads.delete(host));
    this.reads.set(host, read);
    return read;
  }

  private async read(host: string): Promise<void> {
    const { database, onProblem } = this.options;
    const before = this.entries.get(host);
    // A finding of this process during the read is newer than the read.
    const isOvertaken = (): boolean => this.entries.get(host) !== before;
    try {
      const rows = await waitAtMost(this.maxWaitMs, recallHost(database, host));
      if (isOvertaken()) return;
      const shapes = rows.map(({ shape, rung, errorClass, ageMs, isProbeDue }) => {
        const learnedAtMs = Math.round(this.now() - ageMs);
        return [shape, { rung, errorClass, learnedAtMs, isProbeDue }] as const;
      });
      this.put(host, { shapes: new Map(shapes), freshUntilMs: this.now() + FRESH_MS });
    } catch (error) {
      onProblem('recall', error);
      // Not read again at once: while the database is down every page would wait for it.
      if (isOvertaken()) return;
      const shapes = before?.shapes ?? NOTHING;
      this.put(host, { shapes, freshUntilMs: this.now() + FRESH_MS });
    }
  }

  /** Tries once, with any result: the next read shows whether the probe is still due. */
  private async takeProbe(host: string, shape: string, learned: LearnedRung): Promise<boolean> {
    this.remember(host, shape, { ...learned, isProbeDue: false });
    try {
      const { database } = this.options;
      return await waitAtMost(this.maxWaitMs, takeHostProbe(database, host, shape));
    } catch (error) {
      this.options.onProblem('recall', error);
      return false;
    }
  }

  private async save(host: string, shape: string, wanted: Knowledge | null): Promise<void> {
    try {
      await waitAtMost(this.maxWaitMs, this.writeSoon(host, shape, wanted));
    } catch (error) {
      this.options.onProblem(wanted ? 'learn' : 'forget', error);
    }
  }

  /** One write per host and shape at a time; of the findings made meanwhile only the last one is written. */
  private writeSoon(host: string, shape: string, wanted: Knowledge | null): Promise<void> {
    const key = keyOf(host, shape);
    const under = this.writes.get(key);
    if (under) {
      under.wanted = wanted;
      return under.done;
    }
    const write: Write = { wanted, done: Promise.resolve() };
    this.writes.set(key, write);
    write.done = this.writeLatest(host, shape, write);
    return write.done;
  }

  private async writeLatest(host: string, shape: string, write: Write): Promise<void> {
    let written: Knowledge | null | undefined;
    while (written !== write.wanted) {
      written = write.wanted;
      await this.persist(host, shape, written).catch((error: unknown) =>
        this.options.onProblem(written ? 'learn' : 'forget', error),
      );
    }
    this.writes.delete(keyOf(host, shape));
  }

  private persist(host: string, shape: string, knowledge: Knowledge | null): Promise<void> {
    const { database, ttlMs = TTL_MS } = this.options;
    if (!knowledge) return forgetHost(database, host, shape);
    const { rung, errorClass } = knowledge;
    return learnHost(database, { host, shape, rung, errorClass, ttlMs });
  }
}

interface Found {
  readonly shape: string;
  readonly learned: LearnedRung;
}

/** A bot wall of the host or the requirement of its shape, whichever is the higher rung. */
function learnedRungFor(shapes: Entry['shapes'], shape: string): Found | null {
  const own = shapes.has(shape) ? shape : OTHER_SHAPES;
  const found = [own, WHOLE_HOST].flatMap((one) => {
    const learned = shapes.get(one);
    return learned && isLearnedRung(learned) ? [{ shape: one, learned }] : [];
  });
  const [first, second] = found;
  if (!first || !second) return first ?? null;
  return rungLevel(second.learned.rung) > rungLevel(first.learned.rung) ? second : first;
}

/** Whether pages of unknown shapes start in a browser. */
function decideForOthers(shapes: Entry['shapes']): boolean {
  const known = [...shapes].filter(([shape]) => shape !== OTHER_SHAPES).map(([, one]) => one);
  return known.filter(needsBrowser).length >= SHAPES_FOR_ALL && !known.some(isCheap);
}

function isLearnedRung(knowledge: Knowledge): knowledge is LearnedRung {
  return knowledge.errorClass !== null;
}

function isCheap({ rung, errorClass }: Knowledge): boolean {
  return errorClass === null || (errorClass === 'js_shell' && !isRendering(rung));
}

/** A bot wall does not prove that pages are rendered by scripts. */
function needsBrowser({ rung, errorClass }: Pick<Knowledge, 'rung' | 'errorClass'>): boolean {
  return isRendering(rung) && errorClass !== null && errorClass !== 'blocked';
}

function isRendering(rung: Rung): boolean {
  return rungLevel(rung) >= rungLevel('headless');
}

const keyOf = (host: string, shape: string): string => `${host} ${shape}`;

function sizeOf({ shapes }: Entry): number {
  return 1 + shapes.size;
}
