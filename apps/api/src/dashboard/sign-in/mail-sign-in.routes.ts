import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import {
  takeSignInRequest,
  useSignInLink,
  isEmail,
  LINK_PATH,
  LinkSender,
  newToken,
  LINK_MINUTES,
  closeSession,
  findTenantByKey,
  openSession,
  type SignInMail,
} from '@app/accounts';
import type { Database } from '@app/database';
import { clientNetwork } from '../../accounts/keys/client-network.js';
import { formField } from '../http/form-body.js';
import { isToken, type TokenCookie } from '../http/token-cookie.js';
import { goTo, requireOwnOrigin, signedInOf, signIn } from '../http/signed-in.js';
import { signInPage } from './sign-in.page.js';
import { html } from '../html/html.js';
import type { Page } from '../html/page.js';
import type { DashboardServices } from '../services.js';

const ASK_PATH = '/dashboard/sign-in/mail';
const ASKED_PATH = '/dashboard/sign-in/asked';
const BAD_REQUEST = 400;
const GONE = 410;
const TOO_MANY = 429;

/** Signing in by a mailed link: requesting one, and using it. */
export function mailSignInRoutes(scope: FastifyInstance, rooms: SignInRooms): void {
  const { services, mail } = rooms;
  const { runtime, pages } = services;
  const links =
    mail.kind === 'off' ? null : new LinkSender({ ...senderOptions(rooms), sender: mail.sender });
  scope.addHook('onClose', async () => links?.close());

  scope.post(ASK_PATH, async (request, reply) => {
    requireOwnOrigin(request, runtime.publicUrl);
    if (links === null) throw new ApiError('not_found');
    return requestLink(rooms, links, { request, reply });
  });
  scope.get(ASKED_PATH, async (_request, reply) => {
    if (links === null) throw new ApiError('not_found');
    return pages.send(reply, linkRequestedPage(mail));
  });
  scope.get(LINK_PATH, (request, reply) => {
    const { token } = request.query as { readonly token?: unknown };
    return isToken(token) ? pages.send(reply, linkPage(token)) : refuseLink(rooms, reply);
  });
  scope.post(LINK_PATH, async (request, reply) => {
    requireOwnOrigin(request, runtime.publicUrl);
    const token = formField(request, 'token');
    const browser = rooms.linkCookie.read(request);
    const session = isToken(token)
      ? await useSignInLink(runtime.database, token, { browser })
      : null;
    return session === null
      ? refuseLink(rooms, reply)
      : enter(rooms, { request, reply, token: session });
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** One statement for any address; whether it is known is checked after the response. */
async function requestLink(
  { services, mail, linkCookie }: SignInRooms,
  links: LinkSender,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { runtime, pages } = services;
  const email = formField(request, 'email').trim();
  if (!isEmail(email)) {
    return pages.send(reply, signInPage({ why: 'email', mail, status: BAD_REQUEST }));
  }
  const outcome = await takeSignInRequest(runtime.database, {
    email,
    network: clientNetwork(request),
  });
  switch (outcome.kind) {
    case 'limited':
      void reply.header('retry-after', outcome.retryAfterSeconds);
      return pages.send(reply, signInPage({ why: 'asked-often', mail, status: TOO_MANY }));
    case 'taken': {
      const browser = linkCookie.read(request) ?? newToken();
      linkCookie.set(reply, browser);
      // Runs after the response, even if the client disconnected.
      reply.raw.once('close', () => links.send({ email, browser }));
      return goTo(reply, ASKED_PATH);
    }
  }
}

function refuseLink({ services, mail }: SignInRooms, reply: FastifyReply): Promise<FastifyReply> {
  return services.pages.send(reply, signInPage({ why: 'link', mail, status: GONE }));
}

function senderOptions({ services: { runtime } }: SignInRooms) {
  const { database, log, publicUrl } = runtime;
  return { database, log, publicUrl };
}

/** Shown after a link was requested, whether or not the address is known. */
function linkRequestedPage(mail: SignInMail): Page {
  return {
    title: 'Check your mail',
    section: null,
    back: { title: 'Sign in', path: '/dashboard/sign-in' },
    content: html`<section class="panel narrow" aria-label="What happens now">
      <p>
        If an account has this address, a link is on its way to it. It works once, for
        ${LINK_MINUTES} minutes, in this browser.
      </p>
      ${
        mail.kind === 'logged' &&
        html`<p>No mail server is set up here: the link is printed in the log of the service.</p>`
      }
      <p>
        Nothing arrived? Check your spam folder. An account without an e-mail address is signed in
        to with one of its API keys.
      </p>
    </section>`,
  };
}

/** The page that a link opens. Opening it changes nothing: mail scanners open every link. */
function linkPage(token: string): Page {
  return {
    title: 'Sign in',
    section: null,
    content: html`<form class="panel narrow" method="post" action="${LINK_PATH}">
      <input type="hidden" name="token" value="${token}" />
      <p>Press the button if you asked for this link yourself. It works once.</p>
      <p class="actions"><button class="primary">Sign in</button></p>
    </form>`,
  };
}

/** Longer texts cannot be keys; see the key check of the API. */
const MAX_KEY_CHARS = 256;
const UNAUTHORIZED = 401;

interface SignInRooms {
  readonly services: DashboardServices;
  readonly cookie: TokenCookie;
  /** Of a browser that requested a sign-in link. */
  readonly linkCookie: TokenCookie;
  readonly mail: SignInMail;
}

/** Public pages. */
export function signInRoutes(scope: FastifyInstance, rooms: SignInRooms): void {
  const { services, mail } = rooms;
  const { runtime, pages } = services;
  scope.get('/dashboard/sign-in', (request, reply) => {
    const { why } = request.query as { readonly why?: unknown };
    const known = why === 'signed-out' || why === 'ended' || why === 'fresh' ? why : null;
    return pages.send(reply, signInPage({ why: known, mail }));
  });
  scope.post('/dashboard/sign-in', async (request, reply) => {
    requireOwnOrigin(request, runtime.publicUrl);
    const token = await openByKey(runtime.database, formField(request, 'key').trim());
    if (token !== null) return enter(rooms, { request, reply, token });
    return pages.send(reply, signInPage({ why: 'key', mail, status: UNAUTHORIZED }));
  });
}

/** Pages that need a session. */
export function signOutRoute(
  scope: FastifyInstance,
  { runtime }: DashboardServices,
  cookie: TokenCookie,
): void {
  scope.post('/dashboard/sign-out', async (request, reply: FastifyReply) => {
    const session = signedInOf(request);
    if (session) await closeSession(runtime.database, session.token);
    cookie.clear(reply);
    // Pages of the account that the browser keeps (Clear Site Data, 3.1).
    void reply.header('clear-site-data', '"cache", "storage"');
    return goTo(reply, '/dashboard/sign-in?why=signed-out');
  });
}

interface Entrance {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The session that was just created. */
  readonly token: string;
}

/** A new sign-in ends the previous session. */
async function enter(
  { services, cookie }: SignInRooms,
  { request, reply, token }: Entrance,
): Promise<FastifyReply> {
  const before = cookie.read(request);
  if (before !== null) await closeSession(services.runtime.database, before);
  cookie.set(reply, token);
  await signIn(request, token, services.runtime.database);
  return goTo(reply, '/dashboard');
}

/** Creates a session for the tenant of a key; null if the key is invalid. The key itself is not stored. */
async function openByKey(database: Database, key: string): Promise<string | null> {
  if (key.length > MAX_KEY_CHARS) return null;
  const tenant = await findTenantByKey(database, key);
  return tenant && openSession(database, { tenantId: tenant.id, keyId: tenant.keyId });
}
