import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import { parseBody } from '../../http/validation.pipe.js';
import { NewKeyRequest, RotateKeyRequest, type KeyView } from '../../accounts/keys/key.dto.js';
import { noteSecurityEvent } from '../../http/security-log.js';
import { formField } from '../http/form-body.js';
import type { Note } from '../http/one-time-notes.js';
import {
  goTo,
  idOf,
  requireFreshSession,
  signedInOf,
  tenantSignedIn,
  type SignedIn,
} from '../http/signed-in.js';
import { html, type Piece } from '../html/html.js';
import { noticeIn, problem } from '../html/notice.js';
import { timeText } from '../html/time-text.js';
import type { DashboardServices } from '../services.js';
import { keysPage, shownKey, stateOf } from './keys.page.js';
import { confirmation } from '../html/confirmation.js';
import type { Page } from '../html/page.js';

const PATH = '/dashboard/keys';

/** The account's keys: create, rotate, revoke. */
export function keyRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, keys } = services;
  const view = new KeyPages(services);
  scope.get(PATH, (request, reply) => view.list(request, reply));
  scope.post(PATH, (request, reply) => view.leaveNewKey(reply, () => view.create(request)));
  scope.get('/dashboard/keys/:id/rotate', async (request, reply) =>
    pages.send(reply, rotatePage(signedInOf(request), await view.live(request))),
  );
  scope.post('/dashboard/keys/:id/rotate', (request, reply) =>
    view.leaveNewKey(reply, () => view.rotate(request)),
  );
  scope.get('/dashboard/keys/:id/revoke', async (request, reply) =>
    pages.send(reply, revokePage(signedInOf(request), await view.live(request))),
  );
  scope.post('/dashboard/keys/:id/revoke', async (request, reply) => {
    await keys.revoke(tenantSignedIn(request), idOf(request));
    noteSecurityEvent(request, 'key_revoked');
    return goTo(reply, '/dashboard/keys?done=revoked');
  });
}

function shownNote({ key, label, until, problem: text }: Note): Piece {
  if (key === undefined) return problem(text ?? '');
  return shownKey(
    key,
    until === undefined
      ? html`<strong>${label}</strong> is ready.`
      : html`It replaces <strong>${label}</strong>, which works until ${timeText(until || null)}.`,
  );
}

class KeyPages {
  constructor(private readonly services: DashboardServices) {}

  async list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const note = this.services.notes.take(request, reply, PATH);
    const message = note ? shownNote(note) : noticeIn(request.query);
    const { keys } = await this.services.keys.list(tenantSignedIn(request));
    const session = signedInOf(request);
    return this.services.pages.send(reply, keysPage({ session, keys, message }));
  }

  /** A key is shown once, on the list after the form; a reload neither shows nor creates one. */
  async leaveNewKey(reply: FastifyReply, make: () => Promise<Note>): Promise<FastifyReply> {
    const note = await make().catch((error: unknown): Note => {
      if (error instanceof ApiError) return { problem: error.message };
      throw error;
    });
    this.services.notes.leave(reply, { path: PATH }, note);
    return goTo(reply, PATH);
  }

  async create(request: FastifyRequest): Promise<Note> {
    requireFreshSession(request);
    const label = formField(request, 'label').trim();
    const body = await parseBody(NewKeyRequest, { label });
    const { apiKey } = await this.services.keys.create(tenantSignedIn(request), body);
    noteSecurityEvent(request, 'key_made');
    return { key: apiKey, label };
  }

  async rotate(request: FastifyRequest): Promise<Note> {
    requireFreshSession(request);
    const body = await parseBody(RotateKeyRequest, {
      overlapSeconds: Number(formField(request, 'overlap') || NaN),
    });
    const { keys } = this.services;
    const { apiKey, label, replaces } = await keys.rotate(
      tenantSignedIn(request),
      idOf(request),
      body,
    );
    noteSecurityEvent(request, 'key_rotated');
    const until = replaces.expiresAt === null ? '' : new Date(replaces.expiresAt).toISOString();
    return { key: apiKey, label, until };
  }

  /** The key in the path, if it is still active. @throws ApiError */
  async live(request: FastifyRequest): Promise<KeyView> {
    const { keys } = await this.services.keys.list(tenantSignedIn(request));
    const key = keys.find(({ id }) => id === idOf(request));
    if (!key || stateOf(key, new Date()) === 'ended') throw new ApiError('key_not_found');
    return key;
  }
}

const KEYS = { title: 'API keys', path: '/dashboard/keys' } as const;

/** How long the old key may keep working. */
const OVERLAPS = [
  { seconds: 0, title: 'Not at all' },
  { seconds: 3_600, title: '1 hour' },
  { seconds: 86_400, title: '1 day' },
  { seconds: 604_800, title: '7 days' },
] as const;
const USUAL_SECONDS = 86_400;

function revokePage(session: SignedIn | undefined, key: KeyView): Page {
  return {
    title: 'Revoke a key',
    section: 'keys',
    back: KEYS,
    content: confirmation({
      session,
      action: `/dashboard/keys/${key.id}/revoke`,
      text: html`<strong>${key.label}</strong> (<code>${key.prefix}</code>) stops working with the
        next request on. This cannot be undone.
        ${key.current && 'You are signed in with it: this session ends, too.'}`,
      button: 'Revoke the key',
      isDangerous: true,
      back: KEYS.path,
    }),
  };
}

function rotatePage(session: SignedIn | undefined, key: KeyView): Page {
  const options = OVERLAPS.map(
    ({ seconds, title }) =>
      html`<option value="${seconds}" ${seconds === USUAL_SECONDS && html`selected`}>
        ${title}
      </option>`,
  );
  return {
    title: 'Rotate a key',
    section: 'keys',
    back: KEYS,
    content: confirmation({
      session,
      action: `/dashboard/keys/${key.id}/rotate`,
      text: html`A new key replaces <strong>${key.label}</strong> (<code>${key.prefix}</code>). The
        old one keeps working for a while, so that you can replace it everywhere first.`,
      fields: html`<p class="field">
        <label for="overlap">The old key keeps working</label>
        <select id="overlap" name="overlap">
          ${options}
        </select>
      </p>`,
      button: 'Rotate the key',
      isDangerous: false,
      back: KEYS.path,
    }),
  };
}
