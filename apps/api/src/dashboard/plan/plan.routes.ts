import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parsePlanPrices } from '@app/config';
import { newId, ApiError, type Plan } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { missingSettings } from '@app/billing';
import { SEARCH_PATH } from '../../accounts/pricing/present-pricing.js';
import { formField } from '../http/form-body.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import { titled } from '../html/time-text.js';
import { html, type Html } from '../html/html.js';
import { noticeIn } from '../html/notice.js';
import { formToken, type Page } from '../html/page.js';
import { webLink } from '../html/web-link.js';
import type { DashboardServices } from '../services.js';
import { planPage } from './plan.page.js';

const PATH = '/dashboard/plan';
const PAYMENT_PATH = `${PATH}/payment`;
/** How long the link to the payment provider's page can be reloaded. */
const PAYMENT_SECONDS = 600;

/** The account's plan, and how to change it if plans are sold. */
export function planRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { runtime, pages, billing, notes } = services;
  const leaveUrl = (reply: FastifyReply, url: string): FastifyReply => {
    notes.leave(reply, { path: PAYMENT_PATH, lifeSeconds: PAYMENT_SECONDS }, { url });
    return goTo(reply, PAYMENT_PATH);
  };
  scope.get(PATH, (request, reply) => {
    const tenant = tenantSignedIn(request);
    const buttons = html`${noticeIn(request.query)} ${billingButtons(request, runtime, tenant.plan)}`;
    const hasSearch = scope.hasRoute({ method: 'POST', url: SEARCH_PATH });
    return pages.send(reply, planPage(tenant, { billing: buttons, hasSearch }));
  });
  scope.post(`${PATH}/checkout`, async (request, reply) => {
    const order = {
      plan: formField(request, 'plan'),
      successUrl: returnUrl(runtime.publicUrl, 'paid'),
      cancelUrl: returnUrl(runtime.publicUrl, 'plan'),
    };
    const { url } = await billing.checkout(order, tenantSignedIn(request), newId());
    return leaveUrl(reply, url);
  });
  scope.post(`${PATH}/portal`, async (request, reply) => {
    const { url } = await billing.portal(tenantSignedIn(request));
    return leaveUrl(reply, url);
  });
  scope.get(PAYMENT_PATH, (request, reply) => {
    const url = notes.read(request, PAYMENT_PATH)?.['url'];
    // The link has expired or never existed: offer a new one.
    if (url === undefined) return goTo(reply, PATH);
    return pages.send(reply, hostedPage(url));
  });
}

function billingButtons(
  request: FastifyRequest,
  { settings }: Pick<Runtime, 'settings'>,
  current: Plan,
): Html {
  if (missingSettings(settings).length > 0) {
    return html`<p class="notice">
      Billing is not set up. Ask the operator of this service to change your plan.
    </p>`;
  }
  const token = formToken(signedInOf(request));
  const plans = [...new Set(parsePlanPrices(settings.stripePrices).map(({ plan }) => plan))];
  return html`<section class="panel" aria-labelledby="billing">
    <h2 id="billing">Billing</h2>
    <div class="actions">
      ${plans
        .filter((plan) => plan !== current)
        .map(
          (plan) =>
            html`<form method="post" action="${PATH}/checkout">
              ${token}<input type="hidden" name="plan" value="${plan}" />
              <button class="primary">Change to ${titled(plan)}</button>
            </form>`,
        )}
      <form method="post" action="${PATH}/portal">
        ${token}<button>Cards, invoices, cancelling</button>
      </form>
    </div>
  </section>`;
}

/** A link, because our forms must not lead to another site. */
function hostedPage(url: string): Page {
  return {
    title: 'Payment',
    section: 'plan',
    back: { title: 'Plan', path: PATH },
    content: html`<section class="panel narrow" aria-label="Payment page">
      <p>The rest is done on a page of the payment provider, which opens in a new tab.</p>
      <p>${webLink(url, 'Open the payment page')}</p>
    </section>`,
  };
}

/** Own page to continue at: never a URL from the request. */
const GOES_ON_TO = {
  overview: '/dashboard',
  plan: '/dashboard/plan',
  paid: '/dashboard/plan?done=paid',
} as const;
type ReturnName = keyof typeof GOES_ON_TO;

/** Paths that pages of other sites lead back to. */
function returnUrl(publicUrl: string, name: ReturnName): string {
  return `${publicUrl}/dashboard/return/${name}`;
}

/**
 * The step between a page of another site and the dashboard. A browser does not send the session cookie (SameSite=Strict)
 * when another site leads here; from this page on the navigation is our own, so the user is still signed in. It
 * shows nothing and needs no session.
 */
export function returnRoutes(scope: FastifyInstance, { pages }: DashboardServices): void {
  scope.get('/dashboard/return/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string };
    if (!isReturnName(name)) throw new ApiError('not_found');
    return pages.send(reply, stepPage(GOES_ON_TO[name]));
  });
}

function isReturnName(name: string): name is ReturnName {
  return Object.hasOwn(GOES_ON_TO, name);
}

function stepPage(path: string): Page {
  return {
    title: 'Back to your account',
    section: null,
    goesOnTo: path,
    content: html`<p><a href="${path}">Go on</a></p>`,
  };
}
