import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { closeSession, findTenantByKey, openSession, type SignInMail } from '@app/accounts';
import { type Database } from '@app/database';
import { formField } from '../http/form-body.js';
import type { TokenCookie } from '../http/token-cookie.js';
import { goTo, requireOwnOrigin, signedInOf, signIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { signInPage } from './sign-in.page.js';

/** Longer texts cannot be keys; see the key check of the API. */
const MAX_KEY_CHARS = 256;
const UNAUTHORIZED = 401;

export interface SignInRooms {
  readonly services: DashboardServices;
  readonly cookie: TokenCookie;
  /** Of a browser that asked for a link. */
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

export interface Entrance {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The session that was just created. */
  readonly token: string;
}

/** A new sign-in ends the previous session. */
export async function enter(
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
