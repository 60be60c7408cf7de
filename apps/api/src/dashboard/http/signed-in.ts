import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findSession, type Tenant } from '@app/accounts';
import type { Database } from '@app/database';
import { factsOf } from '../../http/route-facts.js';
import { formField } from './form-body.js';
import { ForeignFormError, SignedOut } from './page-error.js';
import type { TokenCookie } from './token-cookie.js';

/** The signed-in caller of a page. */
export interface SignedIn {
  readonly tenant: Tenant;
  readonly openedAt: Date;
  /** The session token; only the cookie may contain it. */
  readonly token: string;
  /** Secret that every form of this session contains. */
  readonly formToken: string;
}

export interface SessionGate {
  readonly database: Database;
  readonly cookie: TokenCookie;
  readonly publicUrl: string;
}

const signedIn = new WeakMap<FastifyRequest, SignedIn>();

/** From now on the request acts for the account of a session that it has just opened. */
export async function signIn(
  request: FastifyRequest,
  token: string,
  database: Database,
): Promise<void> {
  const session = await findSession(database, token);
  if (session) signedIn.set(request, signedInBy(token, session));
}

/** The request's caller; undefined on public pages. */
export function signedInOf(request: FastifyRequest): SignedIn | undefined {
  return signedIn.get(request);
}

/** The tenant of a page that needs a session. @throws SignedOut */
export function tenantSignedIn(request: FastifyRequest): Tenant {
  const session = signedIn.get(request);
  if (!session) throw new SignedOut();
  return session.tenant;
}

/** A session that somebody left open makes no key or secret that outlives it (OWASP ASVS 5.0, 7.5.3). */
const FRESH_MS = 15 * 60_000;

/** @throws SignedOut if the person signed in too long ago */
export function requireFreshSession(request: FastifyRequest, now = Date.now()): void {
  const session = signedIn.get(request);
  if (!session || now - session.openedAt.getTime() > FRESH_MS) throw new SignedOut('fresh');
}

/** Requests that the page's script sends by itself; they must not extend the session. */
const BACKGROUND_ROUTES: ReadonlySet<string> = new Set([
  '/dashboard/jobs/states',
  '/dashboard/jobs/:id/events',
]);

export function isBackground({ routeOptions }: FastifyRequest): boolean {
  return BACKGROUND_ROUTES.has(routeOptions.url ?? '');
}

/** Every route of the scope needs a session, and every form must come from our own page. */
export function requireSession(scope: FastifyInstance, gate: SessionGate): void {
  scope.addHook('onRequest', async (request) => {
    // Before the body is read.
    if (isChange(request)) requireOwnOrigin(request, gate.publicUrl);
    signedIn.set(request, await findSignedIn(request, gate));
  });
  scope.addHook('preHandler', async (request) => {
    // A form with a file is read as it streams in: its reader checks the token that stands before the file.
    if (isChange(request) && !factsOf(request).takesForm)
      requireFormToken(request, formField(request, 'form_token'));
  });
}

export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (!isFromOurPages(request, publicUrl)) throw new ForeignFormError();
}

function isChange({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

async function findSignedIn(
  request: FastifyRequest,
  { database, cookie }: SessionGate,
): Promise<SignedIn> {
  const token = cookie.read(request);
  if (token === null) throw new SignedOut();
  const session = await findSession(database, token, { isUse: !isBackground(request) });
  if (!session) throw new SignedOut('ended');
  return signedInBy(token, session);
}

function signedInBy(
  token: string,
  { tenant, openedAt }: Pick<SignedIn, 'tenant' | 'openedAt'>,
): SignedIn {
  return { tenant, openedAt, token, formToken: formTokenOf(token) };
}

/** Derived from the session token, so that it need not be stored; it does not reveal the token. */
/** The id in the address of a page. */
export function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('forms').digest('base64url');
}

/** @throws ForeignFormError */
export function requireFormToken(request: FastifyRequest, token: string): void {
  const expected = Buffer.from(signedIn.get(request)?.formToken ?? '');
  const given = Buffer.from(token);
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  if (expected.length === 0 || !isEqual) throw new ForeignFormError();
}

/** After a form: redirects to a GET, so that reloading repeats nothing. */
export function goTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(path, 303);
}

/**
 * Whether a form was sent from one of our pages. Browsers send the origin of a POST (Fetch Standard,
 * 3.2); a request without it is rejected. Behind a proxy our origin is PUBLIC_URL, else the requested
 * host.
 */
export function isFromOurPages({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(publicUrl).origin || (host !== undefined && from.host === host);
}
