import { setTimeout as pause } from 'node:timers/promises';
import type { DeniedStage, SignRequest } from '@app/egress';
import {
  BROWSER_FAILURES,
  isRepeatable,
  type BrowserPoolEvents,
  type BrowserPoolSnapshot,
  type FetchRequest,
  type FetchRung,
  type LaunchResult,
  type RungResult,
} from '@app/fetch';
import { BrowserChild, BrowserProcessLost, BrowserProcessSilent } from './browser-child.js';
import type { BrowserRung, BrowserTerms, FromBrowser } from './browser-messages.js';

export interface BrowserProcessOptions {
  readonly terms: BrowserTerms;
  readonly events: BrowserPoolEvents;
  readonly onDenied: (stage: DeniedStage) => void;
  readonly onLog: (message: Omit<Extract<FromBrowser, { readonly type: 'log' }>, 'type'>) => void;
  /** It ended unexpectedly. */
  readonly onLost: () => void;
  /** Signs requests for documents of the `headless` rung. @default none is signed */
  readonly signRequest?: SignRequest | undefined;
  /** The module it runs. @default the one beside this */
  readonly entry?: URL;
}

/** The first restart is immediate, the next one after this delay, and each further one after twice as long. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long was healthy: its end counts as the first again. */
const WELL_AFTER_MS = 60_000;
const CHECK_EVERY_MS = 5_000;
/** A process that does not respond for this long is killed: its event loop hangs. */
const SILENT_MS = 15_000;
const SNAPSHOT_MS = 2_000;
/** A retry with less time than this would only time out. */
const MIN_RETRY_MS = 1_000;

/**
 * The browser process of a fetcher: all of Playwright, the filtering proxy, and the browsers. A page may end it, and
 * nothing else; this class restarts it, with growing delays if it keeps ending. Calls made meanwhile are retried once
 * on its successor, or fail as lost.
 */
export class BrowserProcess {
  private child: Promise<BrowserChild>;
  private current: BrowserChild | null = null;
  private readonly stop = new AbortController();
  private readonly watch: NodeJS.Timeout;
  private quickEnds = 0;
  private readonly firstTry = Promise.withResolvers<LaunchResult>();
  /** The result of the first launch of a local browser, or of the start of this process. */
  readonly tried = this.firstTry.promise;
  /** The result of the latest launch; null before the first. */
  latest: LaunchResult | null = null;

  constructor(private readonly options: BrowserProcessOptions) {
    this.child = this.start(0);
    this.watch = setInterval(() => void this.requireAnswer(), CHECK_EVERY_MS);
    this.watch.unref();
  }

  /** Of the current process; undefined between two. */
  get pid(): number | undefined {
    return this.current?.pid;
  }

  /** Local browsers: those of the pool. */
  get hasOwn(): boolean {
    return this.options.terms.pool !== null;
  }

  async fetch(rung: BrowserRung, request: FetchRequest): Promise<RungResult> {
    for (let tries = 1; ; tries++) {
      const child = await this.childWithin(request);
      if (child === null) return { ok: false, failure: BROWSER_FAILURES.unavailable };
      try {
        return await child.fetch(rung, request);
      } catch (error) {
        if (error instanceof BrowserProcessSilent)
          return { ok: false, failure: BROWSER_FAILURES.late };
        if (!(error instanceof BrowserProcessLost)) throw error;
        if (tries > 1 || !mayRepeat(request)) return { ok: false, failure: BROWSER_FAILURES.lost };
      }
    }
  }

  /** Null while no process runs or responds. */
  async snapshot(): Promise<BrowserPoolSnapshot | null> {
    // It ended meanwhile, or hangs, which is handled elsewhere.
    return (await this.current?.snapshot(SNAPSHOT_MS).catch(() => null)) ?? null;
  }

  async close(): Promise<void> {
    this.stop.abort(new Error('The browser process is closed'));
    clearInterval(this.watch);
    this.note({ ok: false, problem: 'it was closed before a browser was launched' });
    await this.current?.close();
  }

  private async start(pauseMs: number): Promise<BrowserChild> {
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: this.stop.signal });
    this.stop.signal.throwIfAborted();
    const { terms, events, onDenied, onLog, signRequest } = this.options;
    const child = new BrowserChild({
      entry: this.options.entry ?? new URL('./browser-main.js', import.meta.url),
      ...{ terms, signRequest },
      onDenied,
      onLog,
      onTried: (result) => this.note(result),
      onEvent: ({ name, args }) => {
        if (name === 'onLaunch') this.latest = args[0];
        (events[name] as ((...all: unknown[]) => void) | undefined)?.(...args);
      },
    });
    this.current = child;
    const startedAtMs = performance.now();
    void child.ended.then((why) => this.replace(child, why, performance.now() - startedAtMs));
    return child;
  }

  private note(result: LaunchResult): void {
    this.latest = result;
    this.firstTry.resolve(result);
  }

  private replace(child: BrowserChild, why: string, livedMs: number): void {
    if (this.current === child) this.current = null;
    if (this.stop.signal.aborted) return;
    this.options.onLost();
    this.quickEnds = livedMs >= WELL_AFTER_MS ? 0 : this.quickEnds + 1;
    const pauseMs =
      this.quickEnds <= 1
        ? 0
        : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.quickEnds - 2));
    const fields = { why, livedMs: Math.round(livedMs), pauseMs };
    this.note({ ok: false, problem: `the browser process ended (${why.split('\n', 1)[0]})` });
    this.options.onLog({
      level: 'error',
      text: 'the browser process ended; another is started',
      fields,
    });
    this.child = this.start(pauseMs);
    // The waiting caller gets the error; closing is no failure.
    this.child.catch(() => {});
  }

  private async requireAnswer(): Promise<void> {
    const child = this.current;
    try {
      await child?.snapshot(SILENT_MS);
    } catch (error) {
      // A process that has ended is already replaced.
      if (error instanceof BrowserProcessSilent) child?.kill();
    }
  }

  /** Null: none within the request's time. */
  private async childWithin({ deadline, signal }: FetchRequest): Promise<BrowserChild | null> {
    if (this.current !== null) return this.current;
    const bound = AbortSignal.timeout(Math.max(1, deadline.remainingMs()));
    const given = AbortSignal.any([bound, ...(signal ? [signal] : [])]);
    const ended = new Promise<null>((resolve) => {
      given.addEventListener('abort', () => resolve(null), { once: true });
    });
    return Promise.race([this.child.catch(() => null), ended]);
  }
}

/** A rung whose work is done in the browser process. */
export function browserRung(
  browsers: Pick<BrowserProcess, 'fetch'>,
  name: BrowserRung,
  costMicroUsd = 0,
): FetchRung {
  const isHosted = name === 'hosted_browser';
  return {
    rung: isHosted ? name : 'headless',
    fetchMethod: name,
    network: isHosted ? 'another' : 'ours',
    runsScripts: true,
    costMicroUsd,
    onlyAfterBlocked: name === 'stealth',
    fetch: (request) => browsers.fetch(name, request),
  };
}

function mayRepeat(request: FetchRequest): boolean {
  if (!isRepeatable(request) || request.signal?.aborted) return false;
  return request.deadline.remainingMs() >= MIN_RETRY_MS;
}
