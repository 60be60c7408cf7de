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

/** A link as it is written. */
export interface WrittenLink {
  readonly target: string;
  readonly isNofollow: boolean;
}

/** The pages that a page links to. */
export function collectLinks(anchors: readonly Element[], resolver: UrlResolver): CollectedLinks {
  return collectTargets(writtenLinks(anchors), resolver);
}

function* writtenLinks(anchors: readonly Element[]): Generator<WrittenLink> {
  for (const anchor of anchors) yield { target: targetOf(anchor), isNofollow: isNofollow(anchor) };
}

/** The same for links that were found in another way. */
export function collectTargets(
  written: Iterable<WrittenLink>,
  resolver: UrlResolver,
): CollectedLinks {
  const links = new Set<string>();
  const nofollow = new Set<string>();
  let chars = 0;
  for (const { target, isNofollow: isUnvouched } of written) {
    const address = resolver.resolveWeb(target);
    if (address === undefined) continue;
    const link = withoutFragment(address);
    if (!isUnvouched) nofollow.delete(link);
    if (links.has(link)) continue;
    chars += link.length;
    if (links.size >= MAX_LINKS || chars > MAX_LINKS_CHARS)
      return { links: [...links], nofollow: [...nofollow], isCut: true };
    links.add(link);
    if (isUnvouched) nofollow.add(link);
  }
  return { links: [...links], nofollow: [...nofollow], isCut: false };
}

const isNofollow = ({ attribs: { rel } }: Element): boolean =>
  rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel);

/** A frame is the only way to the page in it. */
const targetOf = ({ name, attribs }: Element): string =>
  (name === 'frame' ? attribs.src : attribs.href) ?? '';
