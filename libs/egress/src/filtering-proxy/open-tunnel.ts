import type net from 'node:net';
import type { EgressGuard } from '../guard.js';
import { parseConnectTarget } from './proxy-target.js';
import type { SessionBooks } from './proxy-session.js';
import { refusalKindOf, refusalText, type RefusalKind } from './refusal.js';

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
/** How long a refused client may take to read why. */
const FAREWELL_MS = 2_000;

/**
 * Ends a raw connection with the reason; reads on meanwhile, since a reset would swallow the text.
 */
export function farewell(client: net.Socket, text: string): void {
  client.on('error', () => client.destroy());
  client.setTimeout(FAREWELL_MS, () => client.destroy());
  client.resume();
  client.end(text);
}

/**
 * Answers CONNECT: vets the target, dials a vetted address, then passes bytes unread both ways.
 * @param head what the client sent behind its request already
 */
export async function openTunnel(
  guard: EgressGuard,
  session: SessionBooks,
  request: { readonly authority: string; readonly client: net.Socket; readonly head: Buffer },
): Promise<void> {
  const { authority, client, head } = request;
  const refuse = (kind: RefusalKind) => {
    session.refuse(kind, authority);
    farewell(client, refusalText(kind));
  };
  // No other listener is left on the socket.
  client.on('error', () => client.destroy());
  if (!session.admit()) return refuse('budget');
  try {
    const origin = await session.dial(parseConnectTarget(guard, authority));
    if (client.destroyed) return void origin.destroy();
    join(session, { client, origin, head, authority });
  } catch (error) {
    if (!client.destroyed) refuse(refusalKindOf(error));
  }
}

function join(
  session: SessionBooks,
  ends: { client: net.Socket; origin: net.Socket; head: Buffer; authority: string },
): void {
  const { client, origin, head, authority } = ends;
  const measure = () => session.measure(origin, authority);
  // What moves on one end has moved on the other, so one clock is enough.
  client.setTimeout(session.limits.idleTimeoutMs, () => client.destroy());
  client.setNoDelay(true);
  client.once('close', () => origin.destroySoon());
  origin.once('close', () => client.destroySoon());
  client.write(ESTABLISHED);
  if (head.length > 0) origin.write(head);
  client.pipe(origin);
  origin.pipe(client);
  client.on('data', measure);
  origin.on('data', measure);
}
