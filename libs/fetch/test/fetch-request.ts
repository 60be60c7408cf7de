import { Deadline, DEFAULT_FETCH_OPTIONS, type FetchOptions } from '@app/contracts';
import { EgressGuard, parseAllowPrivate, type DeniedStage } from '@app/egress';
import { PLAIN_RENDER, type FetchRequest } from '../src/fetch-rung.js';
import { Spend } from '../src/spend.js';

/** A request with generous limits; tests name what they are about. */
export function fetchRequest(
  url: string,
  over: Partial<Omit<FetchRequest, 'options'>> & { readonly options?: Partial<FetchOptions> } = {},
): FetchRequest {
  return {
    url: new URL(url),
    deadline: Deadline.after(60_000),
    maxBytes: 1_000_000,
    spend: new Spend(null),
    onRetryAfter: 'report',
    render: PLAIN_RENDER,
    ...over,
    options: { ...DEFAULT_FETCH_OPTIONS, ...over.options },
  };
}

/** A guard that is fully on but for these ports of 127.0.0.1, to which the given names lead. */
export function loopbackGuard(
  ports: readonly number[],
  names: readonly string[] = [],
): { readonly guard: EgressGuard; readonly denied: DeniedStage[] } {
  const denied: DeniedStage[] = [];
  const resolver = {
    resolve: (name: string) => Promise.resolve(names.includes(name) ? ['127.0.0.1'] : []),
  };
  const targets = ['127.0.0.1/32', ...names];
  const rules = ports.flatMap((port) => targets.map((target) => `${target}:${port}`)).join(',');
  const guard = new EgressGuard({
    resolver,
    allowPrivate: parseAllowPrivate(rules),
    onDenied: (stage) => denied.push(stage),
  });
  return { guard, denied };
}
