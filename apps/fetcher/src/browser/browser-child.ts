import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { programEnvironment } from '@app/config';
import { BlockedUrlError, type DeniedStage, type SignRequest } from '@app/egress';
import type { BrowserPoolSnapshot, FetchRequest, LaunchResult, RungResult } from '@app/fetch';
import type {
  Approval,
  BrowserRung,
  BrowserTerms,
  FromBrowser,
  Outcome,
  PoolEvent,
  ToBrowser,
  WireRequest,
} from './browser-messages.js';
import { MAX_BROWSER_HEAP_MIB } from './guard-memory.js';

/** The browser process ended during a call. */
export class BrowserProcessLost extends Error {
  override readonly name = 'BrowserProcessLost';
}

/** It did not respond in time. */
export class BrowserProcessSilent extends Error {
  override readonly name = 'BrowserProcessSilent';
}

export interface BrowserChildListeners {
  onEvent(event: PoolEvent): void;
  onDenied(stage: DeniedStage): void;
  onTried(result: LaunchResult): void;
  onLog(message: Extract<FromBrowser, { readonly type: 'log' }>): void;
}

export interface BrowserChildOptions extends BrowserChildListeners {
  /** The module it runs. */
  readonly entry: URL;
  readonly terms: BrowserTerms;
  /** Signs requests for documents. The key stays on this side. @default none is signed */
  readonly signRequest?: SignRequest | undefined;
}

interface Pending {
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
  readonly onRedirect: FetchRequest['onRedirect'];
  /** The error thrown by `onRedirect`. */
  refusal?: unknown;
}

type Call =
  | { readonly type: 'fetch'; readonly rung: BrowserRung; readonly request: WireRequest }
  | { readonly type: 'snapshot' };

/**
 * Grace period after a page's deadline in which the page may report the timeout itself (by 250 ms after it). The caller
 * waits 500 ms (api/fetchers/fetcher-call.ts): a browser process that hangs costs it the page, not the reason.
 */
const FETCH_GRACE_MS = 400;
const CLOSE_MS = 10_000;
const MAX_ERROR_OUTPUT_CHARS = 4_096;
/** One browser process from start to end, and the calls to it. */
export class BrowserChild {
  /** Resolves when the process is gone, with the reason if known. Never rejects. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private calls = 0;
  private errorOutput = '';

  constructor(private readonly options: BrowserChildOptions) {
    this.child = start(options.entry);
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errorOutput = (this.errorOutput + chunk.toString()).slice(-MAX_ERROR_OUTPUT_CHARS);
    });
    this.child.on('message', (message: FromBrowser) => this.take(message));
    // A message to a process that just ended; 'exit' reports its end.
    this.child.on('error', () => {});
    this.ended = this.end();
    this.send({ type: 'start', terms: options.terms });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** @throws BlockedUrlError | BrowserProcessLost | BrowserProcessSilent | errors of `onRedirect` */
  async fetch(rung: BrowserRung, request: FetchRequest): Promise<RungResult> {
    const { url, deadline, signal, spend: _, onRedirect, signDocument: __, ...copied } = request;
    const remainingMs = deadline.remainingMs();
    const needsRedirectApproval = onRedirect !== undefined;
    // The others look like a person's browser, or are another's.
    const needsSignature = this.options.signRequest !== undefined && rung === 'headless';
    const needs = { needsRedirectApproval, needsSignature };
    const wire: WireRequest = { ...copied, url: url.href, remainingMs, ...needs };
    const call = { type: 'fetch', rung, request: wire } as const;
    const outcome = await this.call(call, remainingMs + FETCH_GRACE_MS, { signal, onRedirect });
    if (outcome.kind === 'fetched') return owningItsBytes(outcome.result);
    if (outcome.kind === 'blocked') throw new BlockedUrlError(outcome.stage, outcome.url);
    throw unexpected(outcome);
  }

  /** @throws BrowserProcessLost | BrowserProcessSilent */
  async snapshot(boundMs: number): Promise<BrowserPoolSnapshot | null> {
    const outcome = await this.call({ type: 'snapshot' }, boundMs);
    return outcome.kind === 'snapshot' ? outcome.snapshot : null;
  }

  /** Stops in an orderly way; a process that does not finish is killed. */
  async close(): Promise<void> {
    this.send({ type: 'close' });
    const late = setTimeout(() => this.kill(), CLOSE_MS);
    await this.ended;
    clearTimeout(late);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private async call(
    call: Call,
    boundMs: number,
    { signal, onRedirect }: Pick<FetchRequest, 'signal' | 'onRedirect'> = {},
  ): Promise<Outcome> {
    const id = ++this.calls;
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Outcome>();
    const pending: Pending = { settle, fail, onRedirect };
    this.pending.set(id, pending);
    const abort = (): void => this.send({ type: 'abort', id });
    const late = setTimeout(() => fail(new BrowserProcessSilent()), Math.max(0, boundMs));
    signal?.addEventListener('abort', abort, { once: true });
    this.send({ ...call, id });
    if (signal?.aborted) abort();
    if (this.isGone) fail(new BrowserProcessLost());
    try {
      const outcome = await promise;
      if (outcome.kind === 'redirect_refused')
        throw pending.refusal ?? new Error('The redirect was blocked');
      return outcome;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
      this.pending.delete(id);
    }
  }

  private take(message: FromBrowser): void {
    const { onEvent, onDenied, onTried, onLog } = this.options;
    if (message.type === 'done') this.pending.get(message.id)?.settle(message.outcome);
    else if (message.type === 'redirect') void this.decide(message);
    else if (message.type === 'sign') this.sign(message);
    else if (message.type === 'event') onEvent(message.event);
    else if (message.type === 'denied') onDenied(message.stage);
    else if (message.type === 'tried') onTried(message.result);
    else onLog(message);
  }

  private async decide({
    id,
    step,
    url,
  }: Extract<FromBrowser, { readonly type: 'redirect' }>): Promise<void> {
    const pending = this.pending.get(id);
    let approval: Approval = 'allowed';
    try {
      await pending?.onRedirect?.(new URL(url));
    } catch (error) {
      approval = error instanceof BlockedUrlError ? 'blocked' : 'refused';
      if (pending) pending.refusal = error;
    }
    this.send({ type: 'redirected', id, step, approval });
  }

  private sign({ id, step, url }: Extract<FromBrowser, { readonly type: 'sign' }>): void {
    const isOfPage = this.pending.has(id) && URL.canParse(url);
    const headers = isOfPage ? this.options.signRequest?.(new URL(url)) : null;
    this.send({ type: 'signed', id, step, headers: headers ?? null });
  }

  private send(message: ToBrowser): void {
    // A lost message is covered by the end of the process.
    if (this.child.connected) this.child.send(message, () => {});
  }

  private get isGone(): boolean {
    return !this.child.connected || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private async end(): Promise<string> {
    const [code, signal] = await once(this.child, 'exit').catch(() => [null, null]);
    for (const { fail } of this.pending.values()) fail(new BrowserProcessLost());
    const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
    return this.errorOutput === '' ? how : `${how}: ${this.errorOutput.trim()}`;
  }
}

function start(entry: URL): ChildProcess {
  const isOwn = /^--(?:inspect|max-old-space-size)/;
  const flags = process.execArgv.filter((flag) => !isOwn.test(flag));
  return fork(entry, {
    // Bodies of pages are bytes.
    serialization: 'advanced',
    execArgv: [...flags, `--max-old-space-size=${MAX_BROWSER_HEAP_MIB}`],
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Bytes of a message share its whole buffer; those of a page are transferred to threads, so they are copied. */
function owningItsBytes(result: RungResult): RungResult {
  if (!result.ok || 'notModified' in result) return result;
  const { page } = result;
  const { screenshot } = page;
  return {
    ...result,
    page: {
      ...page,
      body: page.body.slice(),
      ...(screenshot ? { screenshot: { ...screenshot, bytes: screenshot.bytes.slice() } } : {}),
    },
  };
}

function unexpected(outcome: Outcome): Error {
  return new Error(outcome.kind === 'failed' ? outcome.message : `answered with ${outcome.kind}`);
}
