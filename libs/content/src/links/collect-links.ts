import { type Element } from 'domhandler';
import { MAX_LINKS, MAX_LINKS_CHARS } from '../limits.js';
import { type UrlResolver, withoutFragment } from './url-resolver.js';

export interface CollectedLinks {
  /** Absolute http(s) addresses without fragment, unique, in document order. */
  readonly links: readonly string[];
  readonly isCut: boolean;
}

/** The pages that a page links to. */
export function collectLinks(anchors: readonly Element[], resolver: UrlResolver): CollectedLinks {
  const links = new Set<string>();
  let chars = 0;
  for (const anchor of anchors) {
    const address = resolver.resolveWeb(targetOf(anchor));
    if (address === undefined) continue;
    const link = withoutFragment(address);
    if (links.has(link)) continue;
    chars += link.length;
    if (links.size >= MAX_LINKS || chars > MAX_LINKS_CHARS)
      return { links: [...links], isCut: true };
    links.add(link);
  }
  return { links: [...links], isCut: false };
}

/** A frame is the only way to the page in it. */
const targetOf = ({ name, attribs }: Element): string =>
  (name === 'frame' ? attribs.src : attribs.href) ?? '';
