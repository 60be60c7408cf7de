import { CREDIT_COSTS } from '@app/accounts';

/** A call that may be paid for instead of sent with a key. */
export interface PaidOperation {
  readonly name: 'scrape' | 'map';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Price with data; without data it is free. */
  readonly credits: number;
  /** For wallets, which show it to their people. */
  readonly description: string;
}

/**
 * Calls that answer at once, with a price known before the body is read, and without results that
 * are read by a key later: payers have no key and share one tenant. So no jobs; no `extract`, whose
 * price depends on its body and is 0 without a schema; no `screenshot`, which has a daily quota per
 * account.
 */
export const PAID_OPERATIONS: readonly PaidOperation[] = [
  {
    name: 'scrape',
    method: 'POST',
    path: '/v1/scrape',
    credits: CREDIT_COSTS.scrape,
    description: 'One web page as Markdown, HTML, links, JSON or summary',
  },
  {
    name: 'scrape',
    method: 'GET',
    path: '/v1/scrape',
    credits: CREDIT_COSTS.scrape,
    description: 'One web page as Markdown',
  },
  {
    name: 'map',
    method: 'POST',
    path: '/v1/map',
    credits: CREDIT_COSTS.map,
    description: 'The addresses of a web site',
  },
];

/** Null: a call that needs a key. @param route as the router matched it */
export function paidOperationOf(method: string, route: string | undefined): PaidOperation | null {
  const isMatch = (one: PaidOperation): boolean => one.method === method && one.path === route;
  return PAID_OPERATIONS.find(isMatch) ?? null;
}
