import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { DeliveryQueryText } from '../../jobs/webhooks/parse-delivery-query.js';
import type { SecretView } from '../../jobs/webhooks/webhook.dto.js';
import { noticeIn } from '../html/notice.js';
import { goTo, requireFreshSession, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { deliveryPage } from './delivery.page.js';
import { shownSecret, webhooksPage } from './webhooks.page.js';

const PATH = '/dashboard/webhooks';

/** The delivery log of webhooks, and their signing secrets. */
export function webhookRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, webhooks } = services;
  scope.get(PATH, (request, reply) => list(services, request, reply));
  scope.post('/dashboard/webhooks/secret', async (request, reply) => {
    requireFreshSession(request);
    const { secret } = await webhooks.newSecret(tenantSignedIn(request));
    services.notes.leave(reply, { path: PATH }, { secret });
    return goTo(reply, PATH);
  });
  scope.get('/dashboard/webhooks/:id', async (request, reply) => {
    const delivery = await webhooks.view(tenantSignedIn(request), idOf(request));
    return pages.send(reply, deliveryPage(signedInOf(request), delivery, noticeIn(request.query)));
  });
  scope.post('/dashboard/webhooks/:id/redeliver', async (request, reply) => {
    const { id } = await webhooks.redeliver(tenantSignedIn(request), idOf(request));
    return goTo(reply, `/dashboard/webhooks/${id}?done=redelivered`);
  });
}

async function list(
  services: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shown = services.notes.take(request, reply, PATH)?.['secret'];
  const message = shown === undefined ? null : shownSecret(shown);
  const tenant = tenantSignedIn(request);
  const { cursor } = request.query as DeliveryQueryText;
  const found = await services.webhooks.list(tenant, { cursor });
  const secret = await secretOf(services, tenant);
  const session = signedInOf(request);
  return services.pages.send(reply, webhooksPage({ session, list: found, secret, message }));
}

async function secretOf(
  { webhooks }: DashboardServices,
  tenant: Tenant,
): Promise<SecretView | null> {
  return webhooks.secret(tenant).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'webhook_secret_not_found') return null;
    throw error;
  });
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}
