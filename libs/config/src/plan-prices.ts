import { planNamed, type Plan } from '@app/contracts';

/** Plans that are bought by oneself: the free one costs nothing, a custom one is agreed on. */
export const SOLD_PLANS = ['hobby', 'pro', 'scale'] as const satisfies readonly Plan[];
export type SoldPlan = (typeof SOLD_PLANS)[number];

/** A price of the payment provider, and the plan it pays for. */
export interface PlanPrice {
  readonly plan: SoldPlan;
  readonly priceId: string;
}

/** The plan of a public or a legacy name that can be bought; null of any other text. */
export function soldPlanNamed(name: string): SoldPlan | null {
  const plan = planNamed(name);
  return SOLD_PLANS.find((one) => one === plan) ?? null;
}

/**
 * `plan:price` pairs, comma-separated. A plan may have several prices: the first is sold, the others are
 * known, such as a yearly one or one of before. @throws Error with the rule
 */
export function parsePlanPrices(text: string): readonly PlanPrice[] {
  const pairs = listed(text).map(parsePair);
  if (new Set(pairs.map(({ priceId }) => priceId)).size !== pairs.length) {
    throw new Error('must name each price once');
  }
  return pairs;
}

const PRICE_ID = /^\w{1,255}$/;

function parsePair(text: string): PlanPrice {
  const [name = '', priceId = '', ...more] = text.split(':').map((part) => part.trim());
  const plan = soldPlanNamed(name);
  if (plan === null || !PRICE_ID.test(priceId) || more.length > 0) {
    throw new Error(
      `must be a comma-separated list of plan:price with the plans ${SOLD_PLANS.join(', ')}`,
    );
  }
  return { plan, priceId };
}

/** Origins, comma-separated, as URL.origin writes them. @throws Error with the rule */
export function parseOrigins(text: string): readonly string[] {
  return listed(text).map((one) => {
    const url = URL.canParse(one) ? new URL(one) : null;
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (url === null || !isHttp || url.href !== `${url.origin}/`) {
      throw new Error('must be a comma-separated list of origins such as https://app.example.com');
    }
    return url.origin;
  });
}

function listed(text: string): readonly string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
}
