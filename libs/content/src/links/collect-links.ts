import { type Element } from 'domhandler';
import { MAX_LINKS, MAX_LINKS_CHARS } from '../limits.js';
import { type UrlResolver, withoutFragment } from './url-resolver.js';

export interface CollectedLinks {
  /** Absolute http(s) addresses without fragment, unique, in document order. */
  readonly links: readonly string[];
  /** Those of them that the page only names with `rel=nofollow`. */
  readonly nofollow: readonly string[];
  readonly isCut: boolean;
}

/** The pages that a page links to. */
export function collectLinks(anchors: readonly Element[], resolver: UrlResolver): CollectedLinks {
  const links = new Set<string>();
  const nofollow = new Set<string>();
  let chars = 0;
  for (const anchor of anchors) {
    const address = resolver.resolveWeb(targetOf(anchor));
    if (address === undefined) continue;
    const link = withoutFragment(address);
    const isVouchedFor = !isNofollow(anchor);
    if (isVouchedFor) nofollow.delete(link);
    if (links.has(link)) continue;
    chars += link.length;
    if (links.size >= MAX_LINKS || chars > MAX_LINKS_CHARS)
      return { links: [...links], nofollow: [...nofollow], isCut: true };
    links.add(link);
    if (!isVouchedFor) nofollow.add(link);
  }
  return { links: [...links], nofollow: [...nofollow], isCut: false };
}

const isNofollow = ({ attribs: { rel } }: Element): boolean =>
  rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel);

/** A frame is the only way to the page in it. */
const targetOf = ({ name, attribs }: Element): string =>
  (name === 'frame' ? attribs.src : attribs.href) ?? '';
