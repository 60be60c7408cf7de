/**
 * Whether the answer travels as gzip (RFC 9110, 12.5.3): the client names it, or any coding, and does not
 * like the plain answer better. Without the header nothing is encoded. Other codings are not offered:
 * results lie as many zstd frames, and decoders that end with the first would take a part for the whole.
 */
export function acceptsGzip(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = weightsOf(accept);
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

const ITEM = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;
/** Clients name a handful; the rest of a longer list is not looked at. */
const MAX_ITEMS = 32;

/** Weight of each coding named. An item that is not well formed says nothing. */
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
