import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import {
  takeSignInRequest,
  useSignInLink,
  isEmail,
  LINK_PATH,
  LinkSender,
  newToken,
} from '@app/accounts';
import { clientNetwork } from '../../accounts/keys/client-network.js';
import { formField } from '../http/form-body.js';
import { isToken } from '../http/token-cookie.js';
import { goTo, requireOwnOrigin } from '../http/signed-in.js';
import { linkRequestedPage, linkPage } from './link.page.js';
import { enter, type SignInRooms } from './sign-in.routes.js';
import { signInPage } from './sign-in.page.js';

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
