import type { ErrorClass, RememberedRung, Rung } from '@app/contracts';
import { forgetHost, learnHost, recallHost, waitAtMost, type Store } from '@app/store';

const MAX_HOSTS = 10_000;
/** How long what is known is not asked of the database again: what others learn shows this late. */
const FRESH_MS = 5_000;
/** Learning the same again is written down at most this often. */
const RELEARN_MS = 60_000;
const TTL_MS = 24 * 3_600_000;
/** A page waits no longer for what it can do without. */
const PATIENCE_MS = 500;

export interface HostMemoryOptions {
  readonly store: Store;
  /** Told of failures; pages go on as if nothing were known. */
  readonly onProblem: (what: 'recall' | 'learn' | 'forget', error: unknown) => void;
  /** @default 24 hours */
  readonly ttlMs?: number;
  /** @default 10,000 */
  readonly maxHosts?: number;
  /** @default 500 */
  readonly patienceMs?: number;
  readonly now?: () => number;
}

export interface RecalledRung extends RememberedRung {
  /**
   * Begin with the cheap rungs all the same: one page in the cluster is told so every few minutes.
   * When one of them serves, `forget` the host; when they fail as before, `learn` it again.
   */
  readonly isProbe: boolean;
}

interface Knowledge {
  readonly rung: Rung;
  readonly errorClass: ErrorClass;
  readonly learnedAtMs: number;
}

interface Entry {
  /** Null: nothing is known of the host. */
  readonly knowledge: Knowledge | null;
  readonly freshUntilMs: number;
}

interface Write {
  wanted: Knowledge | null;
  done: Promise<void>;
}

/**
 * Which rung works for a host (`URL.host`), shared by the cluster through SQL. A small copy in the
 * process keeps a crawl from asking for each page; what this process learns it knows at once.
 */
export class HostMemory {
  /** In order of last use. */
  private readonly entries = new Map<string, Entry>();
  private readonly reads = new Map<string, Promise<boolean>>();
  private readonly writes = new Map<string, Write>();
  private readonly now: () => number;
  private readonly patienceMs: number;

  constructor(private readonly options: HostMemoryOptions) {
    this.now = options.now ?? Date.now;
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** What is known of the host, or null. Never rejects. */
  async recall(host: string): Promise<RecalledRung | null> {
    if (this.isFresh(host)) return this.known(host, false);
    const reading = this.reads.get(host);
    if (reading) {
      await reading;
      // The probe, if there is one, is for whoever began the read.
      return this.known(host, false);
    }
    const read = this.read(host).finally(() => this.reads.delete(host));
    this.reads.set(host, read);
    return this.known(host, await read);
  }

  /**
   * The rung served what those below could not, for `errorClass`. Never rejects; resolves when it is
   * written, or when that takes too long.
   */
  async learn(host: string, rung: Rung, errorClass: ErrorClass): Promise<void> {
    const known = this.isFresh(host) ? this.entries.get(host)?.knowledge : null;
    const isSame = known?.rung === rung && known.errorClass === errorClass;
    if (isSame && this.now() - known.learnedAtMs < RELEARN_MS) return;
    const knowledge = { rung, errorClass, learnedAtMs: this.now() };
    this.remember(host, knowledge);
    await this.save(host, knowledge);
  }

  /** A cheap rung serves the host again. Never rejects. */
  async forget(host: string): Promise<void> {
    this.remember(host, null);
    await this.save(host, null);
  }

  private isFresh(host: string): boolean {
    const entry = this.entries.get(host);
    return entry !== undefined && this.now() < entry.freshUntilMs;
  }

  private known(host: string, isProbe: boolean): RecalledRung | null {
    const entry = this.entries.get(host);
    if (!entry?.knowledge) return null;
    this.entries.delete(host);
    this.entries.set(host, entry);
    const { rung, errorClass, learnedAtMs } = entry.knowledge;
    return { rung, errorClass, ageMs: Math.max(0, this.now() - learnedAtMs), isProbe };
  }

  private remember(host: string, knowledge: Knowledge | null): void {
    this.entries.delete(host);
    this.entries.set(host, { knowledge, freshUntilMs: this.now() + FRESH_MS });
    const [oldest] = this.entries.keys();
    const { maxHosts = MAX_HOSTS } = this.options;
    if (this.entries.size > maxHosts && oldest !== undefined) this.entries.delete(oldest);
  }

  /** Tells whether the probe is ours. */
  private async read(host: string): Promise<boolean> {
    const { store, onProblem } = this.options;
    const before = this.entries.get(host);
    // What was learnt while we read is younger than what we read.
    const isOvertaken = (): boolean => this.entries.get(host) !== before;
    try {
      const row = await waitAtMost(this.patienceMs, recallHost(store, host));
      if (isOvertaken()) return false;
      const learnedAtMs = this.now() - (row?.ageMs ?? 0);
      this.remember(
        host,
        row && { rung: row.rung, errorClass: row.errorClass, learnedAtMs: Math.round(learnedAtMs) },
      );
      return row?.isProbe ?? false;
    } catch (error) {
      onProblem('recall', error);
      // Not asked again at once: while the database is away every page would wait for it.
      if (!isOvertaken()) this.remember(host, before?.knowledge ?? null);
      return false;
    }
  }

  private async save(host: string, wanted: Knowledge | null): Promise<void> {
    try {
      await waitAtMost(this.patienceMs, this.writeSoon(host, wanted));
    } catch (error) {
      this.options.onProblem(wanted ? 'learn' : 'forget', error);
    }
  }

  /** One write per host at a time; of what comes meanwhile only the last counts. */
  private writeSoon(host: string, wanted: Knowledge | null): Promise<void> {
    const under = this.writes.get(host);
    if (under) {
      under.wanted = wanted;
      return under.done;
    }
    const write: Write = { wanted, done: Promise.resolve() };
    this.writes.set(host, write);
    write.done = this.writeLatest(host, write);
    return write.done;
  }

  private async writeLatest(host: string, write: Write): Promise<void> {
    let written: Knowledge | null | undefined;
    while (written !== write.wanted) {
      written = write.wanted;
      await this.persist(host, written).catch((error: unknown) =>
        this.options.onProblem(written ? 'learn' : 'forget', error),
      );
    }
    this.writes.delete(host);
  }

  private persist(host: string, knowledge: Knowledge | null): Promise<void> {
    const { store, ttlMs = TTL_MS } = this.options;
    if (!knowledge) return forgetHost(store, host);
    const { rung, errorClass } = knowledge;
    return learnHost(store, { host, rung, errorClass, ttlMs });
  }
}
