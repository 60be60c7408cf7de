import type { BrowserCookie } from '@app/contracts';
import type { AssessedPage, CascadeOutcome, FetchedPage } from '@app/fetch';
import type { ContentResult } from '../content/content-task.js';
import { NOT_REQUESTED, type FailedPage, type PageRequest } from './page-result.js';

/** The login of a profile, for one page. */
export interface PageLogin {
  /** Where the site asks for a login; null: unknown. */
  readonly loginUrl: string | null;
  /** Whether its cookies may go to an address at all. */
  isFor(url: URL): boolean;
  /** Whether an address is of the same registrable domain as one of its hosts. */
  isNear(url: URL): boolean;
  /** Text of a Cookie header; empty: none. */
  headerFor(url: URL): string;
  forBrowser(): readonly BrowserCookie[];
  /** A page was served to it, and set these cookies. */
  used(url: URL, setCookies: readonly string[]): Promise<void>;
  /** The site asked for a login again. */
  expired(): Promise<void>;
}

/** Where profiles are kept. */
export interface LoginSource {
  /** Null: there is none that can be opened. */
  open(id: { readonly tenantId: string; readonly name: string }): Promise<PageLogin | null>;
}

/** A request whose profile has been opened. */
export interface OpenedRequest extends PageRequest {
  /** Absent: it has none, or one of other hosts. */
  readonly login?: LoginWatch;
}

/** Signal of a page that asks for a login. */
const AUTH_EXPIRED = 'auth_expired';

const ASKED =
  'Fetch failed: the site asks for a login again (auth_expired). Save the profile with new cookies by PUT /v1/profiles/:name';
const UNSENT =
  'Fetch failed: the site asks for a login (auth_expired), and no cookie of the profile was sent to the address that asks: their hosts or paths are others, they are Secure and it is not https, or a redirect to another host led there, where only a browser sends them';
const GONE =
  'Fetch failed: the profile of this request was deleted, has expired, or cannot be decrypted (auth_expired). Save it again by PUT /v1/profiles/:name';

/**
 * The request with the cookies of its profile, as far as they are for its address. They are bound to it as a caller's own
 * cookies are; no browser context that other pages get has them. A failure: there is no such profile.
 */
export async function withLogin(
  request: PageRequest,
  logins: LoginSource | null,
): Promise<OpenedRequest | FailedPage> {
  const { fetch, tenantId } = request;
  if (fetch.profile === undefined) return request;
  const id = { tenantId: tenantId ?? '', name: fetch.profile };
  const login = tenantId === undefined ? null : await (logins?.open(id) ?? null);
  if (login === null) return authExpired(GONE);
  const url = new URL(request.url);
  const watch = new LoginWatch(login, url);
  if (!login.isFor(url)) return login.isNear(url) ? { ...request, login: watch } : request;
  return {
    ...request,
    fetch: { ...fetch, cookies: login.headerFor(url) },
    render: { ...request.render, cookies: login.forBrowser(), contextKey: null },
    login: watch,
  };
}

function authExpired(problem: string): FailedPage {
  return { ...NOT_REQUESTED, errorClass: 'blocked', problem, isAuthExpired: true };
}

/** Where a page ended, and how. */
type PageEnd = Pick<FetchedPage, 'url' | 'statusCode' | 'redirects' | 'isRendered'>;

/** Watches whether a site still knows the login that a page is requested with. */
export class LoginWatch {
  /** The verdict, once nothing else is tried. */
  private problem: string | null = null;

  constructor(
    private readonly login: PageLogin,
    private readonly wanted: URL,
  ) {}

  /**
   * A page that asks for a login is no page: it is not served, and nothing else is tried, unless only a browser sends
   * cookies to the address that asks.
   */
  judge<C extends ContentResult | null>(
    page: FetchedPage,
    assessed: AssessedPage<C>,
  ): AssessedPage<C> {
    const passwords = assessed.content?.verdict?.passwordFields ?? 0;
    if (!this.asksForLogin(page, passwords)) return assessed;
    const { isFinal, problem } = this.verdictOf(page);
    if (isFinal) this.problem = problem;
    const { content } = assessed;
    return { content, shortcoming: 'blocked', signals: [AUTH_EXPIRED], isFinal, problem };
  }

  /** A failure in place of what an earlier attempt brought. */
  conclude<C>(outcome: CascadeOutcome<C>): CascadeOutcome<C> {
    const { problem } = this;
    if (problem === null || outcome.kind === 'failed') return outcome;
    const { report } = outcome;
    const failure = { errorClass: 'blocked', problem, signals: [AUTH_EXPIRED] } as const;
    const none = { statusCode: null, retryAfterMs: null };
    return { kind: 'failed', report: { ...report, level: null }, ...failure, ...none };
  }

  /** The end of a page whose redirect to the login robots.txt forbids; null: it leads elsewhere. */
  refusedRedirect(target: URL): FailedPage | null {
    if (!this.isElsewhere(target) || !this.isLoginAddress(target)) return null;
    const end = { url: target.href, statusCode: 200, redirects: [], isRendered: false };
    const { problem } = this.verdictOf(end);
    this.problem = problem;
    return authExpired(problem);
  }

  /** What an address sets that got no cookies is the session of a stranger. */
  async served({ url, isRendered, setCookies = [] }: FetchedPage): Promise<void> {
    const at = new URL(url);
    if (this.isSentTo(at, isRendered)) await this.login.used(at, setCookies);
  }

  /** Notes the end of the login, and names it in the result. */
  async ended(failed: FailedPage): Promise<FailedPage> {
    if (this.problem === null && !failed.signals?.includes(AUTH_EXPIRED)) return failed;
    if (this.problem === ASKED) await this.login.expired();
    return { ...failed, isAuthExpired: true };
  }

  private verdictOf(end: PageEnd): { readonly isFinal: boolean; readonly problem: string } {
    const asker = this.askerOf(end);
    const isSent = asker !== undefined && this.isSentTo(asker, end.isRendered);
    return { isFinal: isSent || asker === undefined, problem: isSent ? ASKED : UNSENT };
  }

  /**
   * The address that asks: the page's, or the last one on the way that led to a login elsewhere. Undefined: no cookie of
   * this page is for it.
   */
  private askerOf({ url, statusCode, redirects }: PageEnd): URL | undefined {
    const at = new URL(url);
    const isLogin = this.isLoginAddress(at) || this.login.isNear(at);
    const isLed = statusCode < 400 && isLogin && this.isElsewhere(at);
    const hops = isLed ? [this.wanted, ...redirects.map((hop) => new URL(hop.url))] : [];
    return [...hops, at].findLast((one) => this.dueTo(one) !== '');
  }

  /** Text of the Cookie header that a browser sends to an address; empty: none. */
  private dueTo(url: URL): string {
    return this.login.isFor(this.wanted) ? this.login.headerFor(url) : '';
  }

  /** A browser sends all that are due; else those of the requested address went to its host, from http to https as well. */
  private isSentTo(url: URL, isRendered: boolean): boolean {
    const due = this.dueTo(url);
    if (due === '' || isRendered) return due !== '';
    const { host, protocol } = this.wanted;
    const isSameSite = url.host === host && ['https:', protocol].includes(url.protocol);
    const sent = this.dueTo(this.wanted).split('; ');
    return isSameSite && due.split('; ').every((pair) => sent.includes(pair));
  }

  /** A login itself may be what is wanted; then it is a page as any other. */
  private asksForLogin({ url, statusCode }: FetchedPage, passwords: number): boolean {
    if (statusCode === 401) return true;
    if (statusCode >= 400) return statusCode === 403 && passwords > 0;
    if (this.isLoginAddress(this.wanted)) return false;
    const at = new URL(url);
    if (this.isElsewhere(at)) return passwords > 0 || this.isLoginAddress(at);
    // Who changes a password or opens an account types one twice.
    return passwords === 1;
  }

  private isLoginAddress(url: URL): boolean {
    const { loginUrl } = this.login;
    const isKnown = loginUrl !== null && placeOf(url) === placeOf(new URL(loginUrl));
    return isKnown || LOGIN_PATH.test(url.pathname);
  }

  private isElsewhere(url: URL): boolean {
    return placeOf(url) !== placeOf(this.wanted);
  }
}

/** Sites redirect to https, to `www.` and to an ending slash. */
function placeOf({ hostname, pathname }: URL): string {
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`;
}

const LOGIN_PATH =
  /\/(?:(?:wp-)?log[-_]?in|sign[-_]?in|sso|auth|authorize|oauth2?|saml2?|sessions?\/new|anmelde(?:n|ung)|connexion|accesso|inloggen)(?:[./;]|$)/i;
