import type { Deadline } from '@app/contracts';
import { HttpFetchError } from '@app/egress';

export interface SiteFileCall {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
}

export interface KeptFile {
  readonly expiresAtMs: number;
  /** Memory of its contents. */
  readonly bytes: number;
}

interface SiteFileCacheOptions {
  /** Files remembered; the least recently used go first. */
  readonly maxFiles: number;
  /** Memory that all of them may take. */
  readonly maxTotalBytes: number;
  readonly now: () => number;
}

/** Memory of an entry beside its file. */
const ENTRY_BYTES = 512;
const bytesOf = (key: string, { bytes }: KeptFile): number => bytes + 2 * key.length + ENTRY_BYTES;

/** Small files of sites, such as robots.txt: each is fetched once for all callers, and kept until it expires. */
export class SiteFileCache<File extends KeptFile> {
  private readonly entries = new Map<string, File>();
  private readonly pending = new Map<string, Promise<File>>();
  private totalBytes = 0;

  constructor(private readonly options: SiteFileCacheOptions) {}

  /**
   * @param load gets the file that expired, if there is one; what it throws is thrown on, and not remembered
   * @throws HttpFetchError (`timeout`) when the caller's own deadline or signal ends the wait
   */
  async get(
    key: string,
    load: (previous: File | undefined) => Promise<File>,
    { deadline, signal }: SiteFileCall,
  ): Promise<File> {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.expiresAtMs > this.options.now()) {
      this.entries.delete(key);
      this.entries.set(key, entry);
      return entry;
    }
    return within(this.load(key, load), deadline, signal);
  }

  private load(key: string, load: (previous: File | undefined) => Promise<File>): Promise<File> {
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    const loading = load(this.entries.get(key))
      .then((file) => this.remember(key, file))
      .finally(() => this.pending.delete(key));
    this.pending.set(key, loading);
    return loading;
  }

  private remember(key: string, file: File): File {
    this.forget(key);
    this.entries.set(key, file);
    this.totalBytes += bytesOf(key, file);
    for (const oldest of this.entries.keys()) {
      const { maxFiles, maxTotalBytes } = this.options;
      const isFull = this.entries.size > maxFiles || this.totalBytes > maxTotalBytes;
      if (!isFull || oldest === key) break;
      this.forget(oldest);
    }
    return file;
  }

  private forget(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.totalBytes -= bytesOf(key, entry);
  }
}

const LOST_CODES: ReadonlySet<string> = new Set(['too_many_redirects', 'redirect_loop']);

/** A chain of redirects that leads nowhere: the file is not there (RFC 9309, 2.3.1.2). */
export function leadsNowhere(error: unknown): boolean {
  return error instanceof HttpFetchError && LOST_CODES.has(error.code);
}

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2_147_483_647;

/** Waits no longer than the caller may; the shared look-up goes on for the others. */
function within<T>(
  work: Promise<T>,
  deadline: Deadline,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (code: string) => reject(new HttpFetchError('timeout', code));
    const onAbort = () => giveUp('aborted');
    const timer = setTimeout(
      () => giveUp('deadline'),
      Math.min(deadline.remainingMs(), MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
