import type { FastifyInstance } from 'fastify';
import { ApiError } from '@app/contracts';
import { html } from '../html/html.js';
import type { Page } from '../html/page.js';
import type { DashboardServices } from '../services.js';

/** Own page to continue at: never a URL from the request. */
const GOES_ON_TO = {
  overview: '/dashboard',
  plan: '/dashboard/plan',
  paid: '/dashboard/plan?done=paid',
} as const;
export type ReturnName = keyof typeof GOES_ON_TO;

/** Paths that pages of other sites lead back to. */
export function returnUrl(publicUrl: string, name: ReturnName): string {
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
