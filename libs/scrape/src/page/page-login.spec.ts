import type { FetchedPage } from '@app/fetch';
import { DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS, Deadline } from '@app/contracts';
import type { ContentResult } from '../content/content-task.js';
import { LoginWatch, withLogin, type PageLogin } from './page-login.js';
import type { PageRequest } from './page-result.js';

const WANTED = 'https://a.example/account';

const loginOf = (over: Partial<PageLogin> = {}): PageLogin => ({
  ...{ loginUrl: 'https://a.example/door', isFor: ({ hostname }) => hostname === 'a.example' },
  isNear: ({ hostname }) => hostname.endsWith('a.example'),
  headerFor: ({ hostname }) => (hostname === 'a.example' ? 's=1' : ''),
  forBrowser: () => [],
  ...{ used: async () => undefined, expired: async () => undefined, ...over },
});

const page = (statusCode: number, url: string, over: Partial<FetchedPage> = {}) =>
  ({ statusCode, url, redirects: [], isRendered: false, ...over }) as unknown as FetchedPage;
const assessed = (passwordFields: number) => ({
  content: { verdict: { passwordFields } } as ContentResult,
  ...{ shortcoming: null, signals: [] },
});
const isAsked = (wanted: string, status: number, url: string, passwords: number): boolean => {
  const watch = new LoginWatch(loginOf(), new URL(wanted));
  return watch.judge(page(status, url), assessed(passwords)).signals.includes('auth_expired');
};

describe('a page with a login', () => {
  it.each<[boolean, string, number, string, number, string?]>([
    [false, 'the page', 200, WANTED, 0],
    [true, 'a field for a password in its place', 200, WANTED, 1],
    [false, 'fields to change a password', 200, WANTED, 2],
    [false, 'a page elsewhere', 200, 'https://a.example/home', 0],
    [true, 'a field for a password elsewhere', 200, 'https://a.example/home', 2],
    [true, 'the login of the profile', 200, 'https://a.example/door', 0],
    [true, 'a login by its address', 200, 'https://a.example/users/sign_in', 0],
    [true, 'a login with an ending', 200, 'https://a.example/wp-login.php', 0],
    [true, 'a login of another host', 200, 'https://id.example/oauth2/authorize', 0],
    [false, 'an address with such letters', 200, 'https://a.example/blogins/authors', 0],
    [false, 'https, www and a slash', 200, 'https://www.a.example/account/', 0],
    [true, '401', 401, WANTED, 0],
    [true, '403 with a field for a password', 403, WANTED, 1],
    [false, '403 without one', 403, WANTED, 0],
    [false, '404 with one', 404, WANTED, 1],
    [
      false,
      'the login that was wanted',
      200,
      'https://a.example/door',
      1,
      'https://a.example/door',
    ],
    [
      false,
      'a login that was wanted',
      200,
      'https://a.example/login',
      1,
      'https://a.example/login',
    ],
  ])('is asked for it again: %s, at %s', (result, _, status, url, passwords, wanted = WANTED) => {
    expect(isAsked(wanted, status, url, passwords)).toBe(result);
  });

  it('serves nothing of an earlier attempt once it is asked for', () => {
    const watch = new LoginWatch(loginOf(), new URL(WANTED));
    const report = { level: 0, attempts: [], unblock: [] };
    const served = { kind: 'served', report, partialReason: 'js_shell', fallback: null } as never;
    expect(watch.conclude(served)).toBe(served);
    watch.judge(page(200, WANTED), assessed(1));
    expect(watch.conclude(served)).toMatchObject({
      ...{ kind: 'failed', errorClass: 'blocked', signals: ['auth_expired'] },
      report: { level: null },
    });
  });

  it('names a redirect to it that robots.txt forbids, and no other', () => {
    const watch = new LoginWatch(loginOf(), new URL(WANTED));
    expect(watch.refusedRedirect(new URL('https://a.example/private'))).toBeNull();
    expect(watch.refusedRedirect(new URL('https://a.example/door'))).toMatchObject({
      isAuthExpired: true,
    });
  });

  it('is told that it has ended only if it is asked for', async () => {
    let ended = 0;
    const login = loginOf({ expired: async () => void ended++ });
    const watch = new LoginWatch(login, new URL(WANTED));
    const failed = { kind: 'failed', errorClass: 'timeout' } as never;
    expect(await watch.ended(failed)).toBe(failed);
    expect(ended).toBe(0);
    watch.judge(page(401, WANTED), assessed(0));
    expect(await watch.ended(failed)).toMatchObject({ isAuthExpired: true });
    expect(ended).toBe(1);
  });
});

describe('an address that asks for a login', () => {
  const AT_WWW = 'https://www.a.example/account';
  const AT_ID = 'https://id.example/oauth2/authorize';
  const HTTP = 'http://a.example/account';
  const byHop = (...urls: string[]) => ({
    redirects: urls.map((url) => ({ url, statusCode: 302 })),
  });
  const domain: Partial<PageLogin> = {
    isFor: ({ hostname }) => hostname.endsWith('a.example'),
    headerFor: ({ hostname, protocol }) =>
      !hostname.endsWith('a.example') ? '' : protocol === 'https:' ? 't=1; s=1' : 't=1',
  };
  /** What it is of: whether the profile has ended, another rung is tried, or neither. */
  const verdictOf = async (wanted: string, asking: FetchedPage, passwords: number) => {
    let ended = 0;
    const login = loginOf({ ...domain, expired: async () => void ended++ });
    const watch = new LoginWatch(login, new URL(wanted));
    const { isFinal, problem = '', signals } = watch.judge(asking, assessed(passwords));
    const failed = { kind: 'failed', errorClass: 'blocked', signals } as never;
    expect(await watch.ended(failed)).toMatchObject({ isAuthExpired: true });
    expect(problem.includes('no cookie of the profile was sent')).toBe(ended === 0);
    return ended === 1 ? 'ended' : isFinal ? 'unsent' : 'tried on';
  };

  it.each<[string, string, string, FetchedPage, number]>([
    ['ended', 'that got them', WANTED, page(401, WANTED), 0],
    ['tried on', 'after a redirect to another host', WANTED, page(200, AT_WWW, byHop(WANTED)), 1],
    ['ended', 'the same in a browser', WANTED, page(200, AT_WWW, { isRendered: true }), 1],
    ['tried on', 'by https, of which http has not all', HTTP, page(401, WANTED, byHop(HTTP)), 0],
    ['unsent', 'of a host that is none of the profile', WANTED, page(401, 'https://b.example/'), 0],
    ['unsent', 'by a field in a foreign page', WANTED, page(200, 'https://b.example/'), 1],
    ['ended', 'at the login of another host', WANTED, page(200, AT_ID, byHop(WANTED)), 1],
    ['tried on', 'there, by way of a third', WANTED, page(200, AT_ID, byHop(WANTED, AT_WWW)), 1],
    [
      ...(['ended', 'the same in a browser', WANTED] as const),
      ...([page(200, AT_ID, { ...byHop(WANTED, AT_WWW), isRendered: true }), 1] as const),
    ],
  ])('%s: one %s', async (verdict, _, wanted, asking, passwords) => {
    expect(await verdictOf(wanted, asking, passwords)).toBe(verdict);
  });

  it('has ended no login of a page that got no cookies at all', async () => {
    expect(await verdictOf('https://b.example/', page(401, WANTED), 0)).toBe('unsent');
  });

  it('is no longer of account once a browser gets the page', () => {
    const watch = new LoginWatch(loginOf(domain), new URL(WANTED));
    watch.judge(page(200, AT_WWW), assessed(1));
    const served = { kind: 'served' } as never;
    expect(watch.conclude(served)).toBe(served);
  });

  it('gives cookies to a profile only where it got them', async () => {
    const from: string[] = [];
    const used = async ({ host }: URL): Promise<void> => void from.push(host);
    const watch = new LoginWatch(loginOf({ ...domain, used }), new URL(WANTED));
    await watch.served(page(200, AT_WWW));
    await watch.served(page(200, WANTED));
    await watch.served(page(200, AT_WWW, { isRendered: true }));
    expect(from).toEqual(['a.example', 'www.a.example']);
  });
});

describe('a request with a profile', () => {
  const request = (url: string, profile?: string): PageRequest => ({
    ...{ url, deadline: Deadline.after(1_000), ignoreRobotsTxt: false, outputs: {}, tenantId: 't' },
    fetch: { ...DEFAULT_FETCH_OPTIONS, ...(profile === undefined ? {} : { profile }) },
    content: DEFAULT_CONTENT_OPTIONS,
    render: { removeOverlays: false, cookies: [], contextKey: 'shared' },
    ...{ onRetryAfter: 'wait', crawl: null },
  });
  const source = { open: async () => loginOf() };

  it('has its cookies, and a browser context of its own', async () => {
    expect(await withLogin(request(WANTED, 'shop'), source)).toMatchObject({
      ...{ fetch: { cookies: 's=1' }, render: { contextKey: null } },
      login: expect.any(LoginWatch),
    });
  });

  it('has none of them at another host', async () => {
    const foreign = request('https://b.example/', 'shop');
    expect(await withLogin(foreign, source)).toBe(foreign);
    // A page there that asks for a login is none all the same.
    expect(await withLogin(request('https://www.a.example/', 'shop'), source)).toMatchObject({
      ...{ fetch: { cookies: null }, login: expect.any(LoginWatch) },
    });
  });

  it('fails without the profile, and for no tenant', async () => {
    const failed = { kind: 'failed', isAuthExpired: true };
    expect(await withLogin(request(WANTED, 'shop'), { open: async () => null })).toMatchObject(
      failed,
    );
    expect(await withLogin(request(WANTED, 'shop'), null)).toMatchObject(failed);
    const { tenantId: _, ...nobody } = request(WANTED, 'shop');
    expect(await withLogin(nobody, source)).toMatchObject(failed);
    const plain = request(WANTED);
    expect(await withLogin(plain, null)).toBe(plain);
  });
});
