/** By preference, among those that a client likes equally. */
const CODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/**
 * The coding of the response (RFC 9110, 12.5.3): of those offered the one that the client likes best. Null: it accepts
 * none of them, prefers identity, or sent no header.
 */
export function codingFor(
  accept: string | undefined,
  offered: readonly ContentCoding[] = CODINGS,
): ContentCoding | null {
  if (accept === undefined) return null;
  const weights = weightsOf(accept);
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

/**
 * Whether a stream is sent as gzip. Other codings are not offered: results are stored as many zstd frames, and decoders
 * that stop after the first would return a part as the whole.
 */
export function acceptsGzip(accept: string | undefined): boolean {
  return codingFor(accept, ['gzip']) !== null;
}

const ITEM = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;
/** Clients list a handful; the rest of a longer list is ignored. */
const MAX_ITEMS = 32;

/** Weight of each coding listed. A malformed item is ignored. */
function weightsOf(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of accept.split(',', MAX_ITEMS)) {
    const [, name, weight = '1'] = ITEM.exec(item) ?? [];
    if (name === undefined) continue;
    const coding = name.toLowerCase();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight));
  }
  return weights;
}
