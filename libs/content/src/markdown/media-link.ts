import { Element } from 'domhandler';
import { collapse } from '../dom/walk.js';
import { type UrlResolver } from '../links/url-resolver.js';

export interface MediaLink {
  readonly target: string;
  readonly label: string;
}

const LABELS: Readonly<Record<string, string>> = { video: 'Video', audio: 'Audio' };

/** An embedded page, video or sound as a link; undefined when it has no web address or no size. */
export function mediaLink(media: Element, resolver: UrlResolver): MediaLink | undefined {
  const { attribs, name } = media;
  if (isInvisible(attribs.width) || isInvisible(attribs.height)) return undefined;
  const source = attribs.src ?? attribs['data-src'] ?? firstSource(media);
  const target = source === undefined ? undefined : resolver.resolveWeb(source);
  if (source?.trim() === '' || target === undefined) return undefined;
  const label = collapse(attribs.title ?? attribs['aria-label'] ?? '');
  const named = label === '' && name === 'frame' ? collapse(attribs.name ?? '') : label;
  return {
    target: withShortFragment(target),
    label: named === '' ? (LABELS[name] ?? 'Embedded page') : named,
  };
}

/** A longer fragment is no place in a page but data for its scripts. */
const MAX_FRAGMENT_CHARS = 200;

function withShortFragment(target: string): string {
  const hash = target.indexOf('#');
  return hash !== -1 && target.length - hash > MAX_FRAGMENT_CHARS ? target.slice(0, hash) : target;
}

/** Frames of a pixel count visits; no reader sees them. */
const isInvisible = (size: string | undefined): boolean =>
  size !== undefined && /^\s*[01](?:px)?\s*$/.test(size);

function firstSource(media: Element): string | undefined {
  for (const child of media.children) {
    if (child instanceof Element && child.name === 'source' && child.attribs.src !== undefined) {
      return child.attribs.src;
    }
  }
  return undefined;
}
