import { parseOrigins, soldPlanNamed, type SoldPlan } from '@app/config';
import { ApiError, type ApiErrorCode } from '@app/contracts';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { invalidRequest } from '../../http/invalid-request.js';

/** Characters of an unknown plan that the error quotes. */
const MAX_QUOTED_CHARS = 100;
/** Stripe replaces this by the id of the session; a URL's path would escape it. */
const SESSION_PLACE = '{CHECKOUT_SESSION_ID}';

export interface WantedCheckout {
  readonly plan: SoldPlan;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

interface CheckoutFields {
  readonly plan?: unknown;
  readonly successUrl?: unknown;
  readonly cancelUrl?: unknown;
}

/** Allowed redirects of a checkout. */
export interface CheckoutReturns {
  /** BILLING_REDIRECT_ORIGINS; empty: any. */
  readonly redirectOrigins: string;
  /** Our own pages also sell plans: they are always allowed. */
  readonly publicUrl: string;
}

/**
 * Checks in the specification's order: missing fields, then the redirect URLs, then the plan (Endpoints,
 * Billing). @throws ApiError
 */
export function parseCheckout(
  body: CheckoutFields,
  { redirectOrigins, publicUrl }: CheckoutReturns,
): WantedCheckout {
  const name = requiredText(body, 'plan', 'plan_required');
  const success = requiredText(body, 'successUrl', 'success_url_required');
  const cancel = requiredText(body, 'cancelUrl', 'cancel_url_required');
  const named = parseOrigins(redirectOrigins);
  const origins = named.length === 0 ? [] : [...named, new URL(publicUrl).origin];
  const successUrl = redirectUrl(success, origins);
  const cancelUrl = redirectUrl(cancel, origins);
  const plan = soldPlanNamed(name);
  if (plan === null) throw new ApiError('unknown_plan', { plan: name.slice(0, MAX_QUOTED_CHARS) });
  return { plan, successUrl, cancelUrl };
}

function requiredText(
  body: CheckoutFields,
  name: keyof CheckoutFields,
  code: ApiErrorCode,
): string {
  const value = body[name];
  if (value === undefined || value === null || value === '') throw new ApiError(code);
  if (typeof value !== 'string') throw invalidRequest(`\`${name}\` must be a string`);
  return value;
}

/** Serialized from the parsed URL, so that another parser cannot read a different target. */
function redirectUrl(text: string, origins: readonly string[]): string {
  const url = text.length <= MAX_REQUEST_URL_CHARS && URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new ApiError('redirect_not_allowed');
  }
  if (origins.length > 0 && !origins.includes(url.origin)) {
    throw new ApiError('redirect_not_allowed');
  }
  return url.href.replaceAll(encodeURIComponent(SESSION_PLACE), SESSION_PLACE);
}
