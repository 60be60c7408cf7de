/** Clients list a handful; the rest of a longer list is ignored. */
const MAX_RANGES = 32;
const RANGE = /^\s*([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)\s*(?:;|$)/;
const WEIGHT = /;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)/i;
const ANY_WEIGHT = /;\s*q\s*=/i;

/**
 * The media type that a client prefers (RFC 9110, 12.5.1): the highest weight, which the most specific range of a
 * type sets; the first of equals. Without the header, or if none is acceptable, the first: a response in another
 * form is worth more than an error.
 * @param offered lower case, without parameters, best first
 */
export function preferredType<T extends string>(
  accept: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  const [first] = offered;
  if (accept === undefined) return first;
  const weights = weightsOf(accept);
  const weighted = offered.map((type) => ({ type, weight: weightOf(type, weights) }));
  const best = Math.max(...weighted.map(({ weight }) => weight));
  if (best === 0) return first;
  return weighted.find(({ weight }) => weight === best)?.type ?? first;
}

function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const [main = ''] = type.split('/');
  return weights.get(type) ?? weights.get(`${main}/*`) ?? weights.get('*/*') ?? 0;
}

/** Weight of each range; a malformed item is ignored. */
function weightsOf(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of accept.split(',', MAX_RANGES)) {
    const [, main, sub] = RANGE.exec(item) ?? [];
    if (main === undefined || sub === undefined) continue;
    const weight = WEIGHT.exec(item)?.[1];
    if (weight === undefined && ANY_WEIGHT.test(item)) continue;
    const range = `${main}/${sub}`.toLowerCase();
    // Ranges that differ by their parameters, as text/markdown;variant=GFM: the best of them.
    weights.set(range, Math.max(weights.get(range) ?? 0, Number(weight ?? 1)));
  }
  return weights;
}
