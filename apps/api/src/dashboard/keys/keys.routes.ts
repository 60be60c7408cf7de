import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '@app/contracts';
import { parseBody } from '../../http/validation.pipe.js';
import { NewKeyRequest, RotateKeyRequest, type KeyView } from '../../keys/key.dto.js';
import { formField } from '../http/form-body.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import { html, type Piece } from '../html/html.js';
import { noticeIn, problem } from '../html/notice.js';
import { timeText } from '../html/time-text.js';
import type { DashboardServices } from '../services.js';
import { revokePage, rotatePage } from './change-key.page.js';
import { keysPage, shownKey, stateOf } from './keys.page.js';

/** Keys of the account: made, rotated, revoked. */
export function keyRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, keys } = services;
  const view = new KeyPages(services);
  scope.get('/dashboard/keys', (request, reply) =>
    view.list(request, reply, noticeIn(request.query)),
  );
  scope.post('/dashboard/keys', (request, reply) =>
    view.withNewKey(request, reply, () => view.create(request)),
  );
  scope.get('/dashboard/keys/:id/rotate', async (request, reply) =>
    pages.send(reply, rotatePage(signedInOf(request), await view.live(request))),
  );
  scope.post('/dashboard/keys/:id/rotate', (request, reply) =>
    view.withNewKey(request, reply, () => view.rotate(request)),
  );
  scope.get('/dashboard/keys/:id/revoke', async (request, reply) =>
    pages.send(reply, revokePage(signedInOf(request), await view.live(request))),
  );
  scope.post('/dashboard/keys/:id/revoke', async (request, reply) => {
    await keys.revoke(tenantSignedIn(request), idOf(request));
    return goTo(reply, '/dashboard/keys?done=revoked');
  });
}

class KeyPages {
  constructor(private readonly services: DashboardServices) {}

  async list(
    request: FastifyRequest,
    reply: FastifyReply,
    message: Piece,
    status = 200,
  ): Promise<FastifyReply> {
    const { keys } = await this.services.keys.list(tenantSignedIn(request));
    const session = signedInOf(request);
    return this.services.pages.send(reply, keysPage({ session, keys, message, status }));
  }

  /** A key is shown by the very answer to the form: nothing of it is kept for a later page. */
  async withNewKey(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<Piece>,
  ): Promise<FastifyReply> {
    try {
      return await this.list(request, reply, await make());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.list(request, reply, problem(error.message), error.row.status);
    }
  }

  async create(request: FastifyRequest): Promise<Piece> {
    const label = formField(request, 'label').trim();
    const body = await parseBody(NewKeyRequest, { label });
    const { apiKey } = await this.services.keys.create(tenantSignedIn(request), body);
    return shownKey(apiKey, html`<strong>${label}</strong> is ready.`);
  }

  async rotate(request: FastifyRequest): Promise<Piece> {
    const body = await parseBody(RotateKeyRequest, {
      overlapSeconds: Number(formField(request, 'overlap') || NaN),
    });
    const { keys } = this.services;
    const { apiKey, label, replaces } = await keys.rotate(
      tenantSignedIn(request),
      idOf(request),
      body,
    );
    return shownKey(
      apiKey,
      html`It takes the place of <strong>${label}</strong>, which works until
        ${timeText(replaces.expiresAt)}.`,
    );
  }

  /** The key of the address, as long as something can be done to it. @throws Refusal */
  async live(request: FastifyRequest): Promise<KeyView> {
    const { keys } = await this.services.keys.list(tenantSignedIn(request));
    const key = keys.find(({ id }) => id === idOf(request));
    if (!key || stateOf(key, new Date()) === 'ended') throw new Refusal('key_not_found');
    return key;
  }
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}
