import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectorRegistry } from '@app/connectors';
import { ApiError } from '@app/contracts';
import { BillingService } from '../accounts/billing/billing.service.js';
import { ImageLinks } from '../fetchers/image-links.js';
import { JobsService } from '../jobs/jobs.service.js';
import { FeedsService } from '../feeds/feeds.service.js';
import { CONNECTORS } from '../connectors/connectors.token.js';
import { PullService } from '../connectors/pull.service.js';
import { KeysService } from '../accounts/keys/keys.service.js';
import { UrlReportService } from '../jobs/results/url-report.service.js';
import { LiveJobs } from '../jobs/results/live-jobs.js';
import { PageSearchService } from '../jobs/results/page-search.service.js';
import { ResultsService } from '../jobs/results/results.service.js';
import { WebhooksService } from '../jobs/webhooks/webhooks.service.js';
import { documentRoutes } from './documents/documents.routes.js';
import { errorPage } from './html/error.page.js';
import { PageSender } from './html/page.js';
import { serveAssets } from './http/assets.js';
import { takeCspReports } from './http/csp-reports.js';
import { acceptForms } from './http/form-body.js';
import { OneTimeNotes } from './http/one-time-notes.js';
import { ForeignFormError, SignedOut, shownError } from './http/page-error.js';
import { LongAnswers } from '../http/long-answers.js';
import { noteRefusal, noteSecurityEvent } from '../http/security-log.js';
import { addSecurityHeaders } from './http/security-headers.js';
import { themeRoute } from './http/theme.js';
import { TokenCookie } from './http/token-cookie.js';
import { isBackground, requireSession } from './http/signed-in.js';
import { exportRoutes } from './jobs/export.routes.js';
import { jobRoutes } from './jobs/jobs.routes.js';
import { feedRoutes } from './feeds/feeds.routes.js';
import { pullRoutes } from './feeds/pulls.routes.js';
import { keyRoutes } from './keys/keys.routes.js';
import { overviewRoutes } from './overview/overview.routes.js';
import { schemaRoutes } from './schemas/schemas.routes.js';
import { planRoutes, returnRoutes } from './plan/plan.routes.js';
import { playgroundRoutes } from './playground/playground.routes.js';
import { requestRoutes } from './requests/requests.routes.js';
import type { DashboardServices } from './services.js';
import { mailSignInRoutes, signInRoutes, signOutRoute } from './sign-in/mail-sign-in.routes.js';
import { openMail } from '@app/accounts';
import { sessionRoutes } from './sign-in/sessions.routes.js';
import { webhookRoutes } from './webhooks/webhooks.routes.js';

/**
 * The account page, under /dashboard, and the documents, under /docs: server-rendered HTML, one style sheet, one script.
 * Their forms, headers and errors have their own scope of the server, so they do not affect the API.
 */
export function serveDashboard(
  app: NestFastifyApplication,
  { runtime, own, description }: Pick<DashboardServices, 'runtime' | 'own' | 'description'>,
): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const isHttps = new URL(runtime.publicUrl).protocol === 'https:';
  void fastify.register(async (scope) => {
    addSecurityHeaders(scope, { isHttps, imageOrigin: app.get(ImageLinks).origin });
    acceptForms(scope);
    const pages = new PageSender(serveAssets(scope));
    const notes = new OneTimeNotes(isHttps);
    const services = { ...servicesOf(app), runtime, pages, notes, own, description };
    answerErrors(scope, services);
    takeCspReports(scope, runtime.log);
    const cookie = new TokenCookie('session', isHttps);
    const linkCookie = new TokenCookie('link', isHttps);
    const rooms = { services, cookie, linkCookie, mail: openMail(runtime) };
    signInRoutes(scope, rooms);
    mailSignInRoutes(scope, rooms);
    returnRoutes(scope, services);
    documentRoutes(scope, services);
    void scope.register(async (account) => accountRoutes(account, services, cookie));
  });
}

function servicesOf(
  app: NestFastifyApplication,
): Omit<DashboardServices, 'runtime' | 'pages' | 'notes' | 'own' | 'description'> {
  return {
    jobs: app.get(JobsService),
    liveJobs: app.get(LiveJobs),
    urlReport: app.get(UrlReportService),
    results: app.get(ResultsService),
    searches: app.get(PageSearchService),
    longAnswers: app.get(LongAnswers),
    pulls: app.get(PullService),
    feeds: app.get(FeedsService),
    connectors: app.get<ConnectorRegistry>(CONNECTORS),
    keys: app.get(KeysService),
    webhooks: app.get(WebhooksService),
    billing: app.get(BillingService),
  };
}

/** Every page is one of these, so none can forget to require a session. */
function accountRoutes(
  scope: FastifyInstance,
  services: DashboardServices,
  cookie: TokenCookie,
): void {
  const { database, publicUrl } = services.runtime;
  requireSession(scope, { database, publicUrl, cookie });
  overviewRoutes(scope, services);
  playgroundRoutes(scope, services);
  schemaRoutes(scope, services);
  jobRoutes(scope, services);
  exportRoutes(scope, services);
  requestRoutes(scope, services);
  keyRoutes(scope, services);
  webhookRoutes(scope, services);
  feedRoutes(scope, services);
  pullRoutes(scope, services);
  planRoutes(scope, services);
  sessionRoutes(scope, services);
  signOutRoute(scope, services, cookie);
  themeRoute(scope);
  scope.get('/dashboard/*', async () => {
    throw new ApiError('not_found');
  });
}

function answerErrors(scope: FastifyInstance, { runtime, pages }: DashboardServices): void {
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error instanceof SignedOut) return showSignIn(error, request, reply);
    if (error instanceof ApiError) noteRefusal(request, error.code);
    if (error instanceof ForeignFormError) noteSecurityEvent(request, 'form_refused');
    const shown = shownError(error);
    const { id, routeOptions } = request;
    if (shown.isFault)
      runtime.log.error({ err: error, requestId: id, route: routeOptions.url }, 'a page failed');
    return pages.send(reply, errorPage(shown, id));
  });
}

/** Requests that the page's script sends are not redirected to the sign-in form. */
function showSignIn(
  { why }: SignedOut,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isBackground(request)) return reply.status(401).send();
  return reply.redirect(`/dashboard/sign-in${why ? `?why=${why}` : ''}`, 303);
}
