import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeedsService } from '../../feeds/feeds.service.js';
import { noticeIn, type NoticeName } from '../html/notice.js';
import { goTo, idOf, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { deleteFeedPage, feedPage } from './feed.page.js';
import { FEEDS, feedListPage } from './feed-list.page.js';

/** What a button of a feed does, and what is said afterwards. */
const CHANGES: Readonly<
  Record<string, readonly ['pause' | 'resume' | 'runNow' | 'renewAddresses', NoticeName]>
> = {
  pause: ['pause', 'paused'],
  resume: ['resume', 'resumed'],
  run: ['runNow', 'started'],
  addresses: ['renewAddresses', 'renewed'],
};

/** The account's feeds: what they watch, what was new, and changing them. They are made in the playground. */
export function feedRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages, feeds, pulls, connectors } = services;
  scope.get(FEEDS, async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const [watched, pulled] = await Promise.all([feeds.list(tenant), pulls.list(tenant)]);
    const parts = { feeds: watched, pulls: pulled, connectors: connectors.all };
    return pages.send(reply, feedListPage(parts, noticeIn(request.query)));
  });
  scope.get(`${FEEDS}/:id`, (request, reply) => show(services, request, reply));
  scope.get(`${FEEDS}/:id/delete`, async (request, reply) => {
    const feed = await feeds.view(tenantSignedIn(request), idOf(request));
    return pages.send(reply, deleteFeedPage(signedInOf(request), feed));
  });
  scope.post(`${FEEDS}/:id/delete`, async (request, reply) => {
    await feeds.delete(tenantSignedIn(request), idOf(request));
    return goTo(reply, `${FEEDS}?done=deleted`);
  });
  for (const [name, [change, done]] of Object.entries(CHANGES))
    scope.post(`${FEEDS}/:id/${name}`, async (request, reply) => {
      await (feeds satisfies FeedsService)[change](tenantSignedIn(request), idOf(request));
      return goTo(reply, `${FEEDS}/${idOf(request)}?done=${done}`);
    });
}

async function show(
  { pages, feeds, connectors }: DashboardServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tenant = tenantSignedIn(request);
  const id = idOf(request);
  const feed = await feeds.view(tenant, id);
  const [runs, news] = await Promise.all([feeds.runs(tenant, id), feeds.news(tenant, id)]);
  const title = connectors.get(feed.connectorId)?.connector.title ?? feed.connectorId;
  const message = noticeIn(request.query);
  const session = signedInOf(request);
  return pages.send(reply, feedPage({ session, feed, runs, news, title, message }));
}
