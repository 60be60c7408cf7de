/**
 * Whether the response is sent as gzip (RFC 9110, 12.5.3): the client accepts gzip, or any coding, and does not
 * prefer identity. Without the header the response is not encoded. Other codings are not offered: results are
 * stored as many zstd frames, and decoders that stop after the first would return a part as the whole.
 */
export function acceptsGzip(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = weightsOf(accept);
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
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
