import { Deadline } from '@app/contracts';
import {
  BlockedUrlError,
  Dialler,
  FilteringProxy,
  guardOfSettings,
  OutboundProxies,
  parseOutboundProxies,
  type EgressGuard,
  type ProxySession,
} from '@app/egress';
import {
  BrowserPool,
  HeadlessRung,
  HostedBrowserRung,
  playwright,
  Spend,
  type BrowserPoolEvents,
  type FetchRequest,
  type FetchRung,
  type LaunchResult,
} from '@app/fetch';
import type { RunAs } from '@app/processes';
import type {
  BrowserRung,
  BrowserTerms,
  FromBrowser,
  Outcome,
  PoolEvent,
  ToBrowser,
  WireRequest,
} from './browser-messages.js';

type Notify = (message: FromBrowser) => void;
type Call = Exclude<ToBrowser, { readonly type: 'start' | 'close' }>;
/** What the service says to a question about a running page. */
type Answer = Extract<ToBrowser, { readonly type: 'redirected' | 'signed' }>;
type Fetch = Extract<ToBrowser, { readonly type: 'fetch' }>;

/** Thrown into the rendering: the service blocked a redirect, and knows the reason. */
class RedirectRefused extends Error {}

/** The objects that the browser process works with, and its running calls. */
export class BrowserWorker {
  private readonly aborts = new Map<number, AbortController>();
  private readonly answers = new Map<number, (answer: Answer) => void>();
  private steps = 0;

  private constructor(
    private readonly proxy: FilteringProxy,
    private readonly pool: BrowserPool<ProxySession> | null,
    private readonly rungs: ReadonlyMap<BrowserRung, FetchRung>,
    private readonly notify: Notify,
  ) {}

  static async open(terms: BrowserTerms, notify: Notify): Promise<BrowserWorker> {
    // Read now: the browsers' user may not enter the folder of the packages.
    playwright();
    if (terms.runAs !== null) dropRights(terms.runAs, notify);
    const guard = guardOfSettings(terms.egress, (stage) => notify({ type: 'denied', stage }));
    const proxies = new OutboundProxies(parseOutboundProxies(terms.egress.outboundProxies), {
      resolvesNames: terms.egress.outboundProxyResolvesNames,
    });
    const proxy = new FilteringProxy({ guard, dialler: new Dialler({ guard, proxies }) });
    await proxy.start();
    const pool = terms.pool && openPool(terms.pool, proxy, notify);
    return new BrowserWorker(proxy, pool, openRungs(terms, guard, pool), notify);
  }

  async take(call: Call): Promise<void> {
    if (call.type === 'abort') {
      this.aborts.get(call.id)?.abort(new Error('The caller gave up'));
    } else if (call.type === 'redirected' || call.type === 'signed') {
      this.answers.get(call.step)?.(call);
    } else {
      const outcome = await this.answer(call).catch(failed);
      this.notify({ type: 'done', id: call.id, outcome });
    }
  }

  async close(): Promise<void> {
    await this.pool?.close();
    await this.proxy.close();
  }

  private async answer(call: Exclude<Call, Answer | { readonly type: 'abort' }>): Promise<Outcome> {
    if (call.type === 'fetch') return this.fetch(call);
    if (this.pool === null) return { kind: 'failed', message: 'no browser is started here' };
    return { kind: 'snapshot', snapshot: await this.pool.snapshot() };
  }

  private async fetch({ id, rung, request }: Fetch): Promise<Outcome> {
    const abort = new AbortController();
    this.aborts.set(id, abort);
    try {
      const given = this.requestOf(id, request, abort.signal);
      const result = await this.rungs.get(rung)?.fetch(given);
      if (!result) return { kind: 'failed', message: `${rung} is not configured` };
      return { kind: 'fetched', result };
    } catch (error) {
      if (error instanceof RedirectRefused) return { kind: 'redirect_refused' };
      if (error instanceof BlockedUrlError)
        return { kind: 'blocked', stage: error.stage, url: error.url };
      throw error;
    } finally {
      this.aborts.delete(id);
    }
  }

  private requestOf(id: number, wire: WireRequest, signal: AbortSignal): FetchRequest {
    const { url, remainingMs, needsRedirectApproval, needsSignature, ...rest } = wire;
    return {
      ...rest,
      url: new URL(url),
      deadline: Deadline.after(remainingMs),
      signal,
      // The cost of a page is decided before the redirect is checked.
      spend: new Spend(null),
      ...(needsRedirectApproval
        ? { onRedirect: (target) => this.requestRedirectApproval(id, target, signal) }
        : {}),
      ...(needsSignature
        ? { signDocument: (target) => this.requestSignature(id, target, signal) }
        : {}),
    };
  }

  /** @throws Error when the page ends: a request without its signature is not sent */
  private async requestSignature(
    id: number,
    target: URL,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const answer = await this.ask({ type: 'sign', id, url: target.href }, signal);
    const headers = answer?.type === 'signed' ? answer.headers : null;
    if (headers === null) throw new Error('The page is no longer waited for');
    return headers;
  }

  private async requestRedirectApproval(
    id: number,
    target: URL,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.ask({ type: 'redirect', id, url: target.href }, signal);
    const approval = answer?.type === 'redirected' ? answer.approval : 'refused';
    if (approval === 'blocked') throw new BlockedUrlError('redirect', target.href);
    if (approval === 'refused')
      throw new RedirectRefused(`The redirect to ${target.href} was refused`);
  }

  /** Null: the page ended first. */
  private async ask(
    question: { readonly type: 'redirect' | 'sign'; readonly id: number; readonly url: string },
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const step = ++this.steps;
    const answer = await new Promise<Answer | null>((resolve) => {
      this.answers.set(step, resolve);
      signal.addEventListener('abort', () => resolve(null), { once: true });
      this.notify({ ...question, step });
    });
    this.answers.delete(step);
    return answer;
  }
}

function dropRights(runAs: NonNullable<BrowserTerms['runAs']>, notify: Notify): void {
  const problem = becomeUser(runAs);
  const text =
    problem === null
      ? 'browsers run as an unprivileged user'
      : 'browsers run as root: this process may not switch to another user (start it as a non-root user)';
  const fields = { ...runAs, ...(problem === null ? {} : { problem }) };
  notify({ type: 'log', level: problem === null ? 'info' : 'warn', text, fields });
}

function openPool(
  options: NonNullable<BrowserTerms['pool']>,
  proxy: FilteringProxy,
  notify: Notify,
): BrowserPool<ProxySession> {
  const pool = new BrowserPool<ProxySession>({
    ...options,
    refusingUrl: proxy.refusingUrl,
    openSession: (wanted) =>
      proxy.openSession({
        ...wanted,
        onBlocked: () => notify({ type: 'denied', stage: 'subresource' }),
      }),
    events: eventsTo(notify),
  });
  const tried = tryPage(pool).catch((error: unknown) => {
    return { ok: false, problem: failed(error).message } as const;
  });
  void tried.then((result) => notify({ type: 'tried', result }));
  return pool;
}

function eventsTo(notify: Notify): BrowserPoolEvents {
  const pass = (event: PoolEvent): void => notify({ type: 'event', event });
  return {
    onLaunch: (...args) => pass({ name: 'onLaunch', args }),
    onWait: (...args) => pass({ name: 'onWait', args }),
    onCrash: (...args) => pass({ name: 'onCrash', args }),
    onRecycle: (...args) => pass({ name: 'onRecycle', args }),
    onSandbox: (...args) => pass({ name: 'onSandbox', args }),
  };
}

function openRungs(
  { hostedUrl }: BrowserTerms,
  guard: EgressGuard,
  pool: BrowserPool<ProxySession> | null,
): ReadonlyMap<BrowserRung, FetchRung> {
  const rungs = new Map<BrowserRung, FetchRung>();
  if (pool !== null) {
    rungs.set('headless', new HeadlessRung({ pages: pool }));
    rungs.set('stealth', new HeadlessRung({ pages: pool, stealth: true }));
  }
  if (hostedUrl !== null) {
    const vet = async (url: string): Promise<void> =>
      void (await guard.vet(guard.parse(url, undefined, 'subresource')));
    rungs.set('hosted_browser', new HostedBrowserRung({ wsUrl: hostedUrl, vet }));
  }
  return rungs;
}

const TRIAL_MS = 60_000;

/** Launches a browser and shows a line of text in it. */
async function tryPage(pool: BrowserPool<ProxySession>): Promise<LaunchResult> {
  await pool.ready();
  const lease = {
    country: null,
    stealth: false,
    mobile: false,
    viewport: { width: 800, height: 600 },
    contextKey: null,
    priority: 'interactive',
    deadline: Deadline.after(TRIAL_MS),
  } as const;
  return pool.withPage(lease, async ({ page, context }) => {
    await page.setContent('<b>Text</b>');
    const { width = 0 } = (await page.locator('b').boundingBox()) ?? {};
    if (width === 0) return { ok: false, problem: 'it shows no text: no fonts are installed' };
    return { ok: true, version: context.browser()?.version() ?? '' };
  });
}

const MAX_MESSAGE_CHARS = 500;

function failed(error: unknown): Extract<Outcome, { readonly kind: 'failed' }> {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', message: message.slice(0, MAX_MESSAGE_CHARS) };
}

/**
 * Drops root rights permanently. Anything this process needs from folders that only root can read must be loaded
 * before.
 * @returns the reason of a failure; null: the process now runs as that user, or was not root
 */
function becomeUser({ uid, gid }: RunAs): string | null {
  if (process.getuid?.() !== 0) return null;
  try {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
