import type { FastifyInstance } from 'fastify';
import { ApiError } from '@app/contracts';
import { html } from '../html/html.js';
import type { Page } from '../html/page.js';
import type { DashboardServices } from '../services.js';

/** Where somebody who comes back goes on to: never an address that was sent along. */
const GOES_ON_TO = {
  overview: '/dashboard',
  plan: '/dashboard/plan',
  paid: '/dashboard/plan?done=paid',
} as const;
export type ReturnName = keyof typeof GOES_ON_TO;

/** Where pages of others lead back to. */
export function returnUrl(publicUrl: string, name: ReturnName): string {
  return `${publicUrl}/dashboard/return/${name}`;
}

/**
 * The step between a page of another site and ours. A browser does not send the cookie of the session
 * (SameSite=Strict) to what another site leads to; what this page leads to comes from ourselves, so whoever
 * was signed in still is. It shows nothing and needs nobody to be signed in.
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
