import { SiteServer, type Visit } from '@app/testing';

const FORM =
  '<form method=post><input name=user><input type=password name=p><button>Log in</button></form>';
const IDENTIFIER = '<form method=post><input type=email name=user><button>Next</button></form>';
const html = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1>${body}`;
const TEXT =
  'Members read this text, which is long enough to be the content of a page of its own. ';

/** Of whoever may log in. */
export const PASSWORD = 'CANARY-correct-horse';

/** Name and value of the cookie that is a login. */
const NAME = 'sid';

type Refuse = (visit: Visit, site: LoginSite) => void;

const send = ({ response }: Visit, status: number, body: string, type = 'text/html'): void =>
  void response.writeHead(status, { 'content-type': type }).end(body);
const redirect = ({ response }: Visit, location: string): void =>
  void response.writeHead(302, { location }).end();
const script = (code: string): string =>
  `<!doctype html><title>App</title><div id=root></div><script>${code}</script>`;

/** How a site asks for a login, by kind. */
export const LOGIN_KINDS: Readonly<Record<string, Refuse>> = {
  'a redirect to its login': (visit) => redirect(visit, '/login'),
  'a redirect to a login with another name': (visit) => redirect(visit, '/members/door'),
  'a redirect to the login of another host': (visit, { other }) =>
    redirect(visit, other.url('/oauth2/authorize?client=1')),
  'a redirect to a login that wants an address first': (visit) => redirect(visit, '/sign-in'),
  'a redirect that robots.txt forbids': (visit) => redirect(visit, '/private/login'),
  'a form in place of the page': (visit) => send(visit, 200, html('Welcome back', FORM)),
  '401 with a form': (visit) => send(visit, 401, html('Please log in', FORM)),
  '401 of an API': (visit) => send(visit, 401, '{"error":"unauthorized"}', 'application/json'),
  '403 with a form': (visit) => send(visit, 403, html('Members only', FORM)),
  'a form that a script writes': (visit) =>
    send(
      visit,
      200,
      script(`document.getElementById('root').innerHTML = ${JSON.stringify(html('Log in', FORM))}`),
    ),
  'a script that leads to its login': (visit) =>
    send(visit, 200, script(`location.href = '/login'`)),
};

/** A site that shows its pages to who has logged in, `/in/<number of the kind>/<page>`, and another host. */
export class LoginSite {
  private constructor(
    readonly server: SiteServer,
    readonly other: SiteServer,
    private readonly state: { good: string },
  ) {}

  static async start(): Promise<LoginSite> {
    const state = { good: '' };
    const other = await SiteServer.start(
      (visit) => send(visit, 200, html('Elsewhere', FORM + TEXT.repeat(4))),
      { host: '127.8.0.1' },
    );
    const holder: { site?: LoginSite } = {};
    const server = await SiteServer.start((visit) => holder.site?.answer(visit));
    return (holder.site = new LoginSite(server, other, state));
  }

  /** From now on only this is a login. */
  set good(value: string) {
    this.state.good = value;
  }

  private answer(visit: Visit): void {
    const { pathname } = visit.url;
    if (pathname === '/robots.txt')
      return send(visit, 200, 'User-agent: *\nDisallow: /private/\n', 'text/plain');
    if (pathname === '/sign-in') return send(visit, 200, html('Who are you?', IDENTIFIER));
    if (pathname === '/away') return redirect(visit, this.other.url('/landing'));
    if (pathname === '/login' && visit.request.method === 'POST') return this.logIn(visit);
    const [, place, kind = '0', page = '0'] = pathname.split('/');
    if (place !== 'in') return send(visit, 200, html('Log in', FORM));
    const refuse = Object.values(LOGIN_KINDS)[Number(kind)];
    if (!this.isLoggedIn(visit)) return refuse?.(visit, this);
    const links = Array.from({ length: 10 }, (_, n) => `<a href="/in/${kind}/${n}">page ${n}</a> `);
    send(
      visit,
      200,
      html(`Page ${page}`, `<p>${TEXT.repeat(4)} Number ${page}.</p>${links.join('')}`),
    );
  }

  /** With the password the cookie, and the members' first page; without it the form again. */
  private logIn(visit: Visit): void {
    const { request, response } = visit;
    if (!request.body.includes(`p=${PASSWORD}`)) return send(visit, 200, html('Wrong', FORM));
    const cookie = `${NAME}=${this.state.good}; HttpOnly; SameSite=Lax; Max-Age=3600`;
    response.writeHead(303, { location: '/in/0/0', 'set-cookie': cookie }).end();
  }

  private isLoggedIn({ request }: Visit): boolean {
    const cookies = String(request.headers['cookie'] ?? '').split('; ');
    return this.state.good !== '' && cookies.includes(`${NAME}=${this.state.good}`);
  }

  /** The cookie as an export of a browser has it. */
  cookie(value: string): object {
    return { name: NAME, value, domain: '127.0.0.1', path: '/', httpOnly: true };
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.other.close()]);
  }
}
