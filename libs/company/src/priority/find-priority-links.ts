import { collapse, type ReadablePage, walk, withoutFragment } from '@app/content';
import { type Element } from 'domhandler';
import { type PageLinkText } from '../company-page.js';
import { MAX_ADDRESS_CHARS, MAX_PRIORITY_LINKS } from '../limits.js';
import { priorityOf } from './priority-of.js';

/** Anchors examined: menus are at the head of a page, imprints at its foot. */
const MAX_ANCHORS = 3_000;
const MAX_TEXT_CHARS = 100;
const MAX_TEXT_NODES = 100;

/** Links of a page that lead to another page of its site and look like a priority page. */
export function findPriorityLinks({
  parsed,
  resolver,
  url,
}: ReadablePage): readonly PageLinkText[] {
  const links = new Map<string, PageLinkText>();
  const own = siteHost(url);
  const self = withoutFragment(url);
  for (const anchor of ends(parsed.anchors)) {
    const reference = anchor.attribs.href ?? '';
    const address = reference === '' ? undefined : resolver.resolveWeb(reference);
    if (address === undefined || address.length > MAX_ADDRESS_CHARS) continue;
    const target = withoutFragment(address);
    if (target === self || siteHost(target) !== own) continue;
    const text = textOfAnchor(anchor);
    if (priorityOf(target, text) === undefined) continue;
    const key = `${target} ${text}`;
    if (links.size < MAX_PRIORITY_LINKS && !links.has(key)) links.set(key, { url: target, text });
  }
  return [...links.values()];
}

/** Host with its port, `www.` apart: what is one site. */
export const siteHost = (address: string): string =>
  (URL.parse(address)?.host ?? '').replace(/^www\./, '');

function ends(anchors: readonly Element[]): readonly Element[] {
  if (anchors.length <= MAX_ANCHORS) return anchors;
  const half = MAX_ANCHORS / 2;
  return [...anchors.slice(0, half), ...anchors.slice(-half)];
}

/** What the link is called: its text, else what is said of it or of its picture. */
function textOfAnchor(anchor: Element): string {
  let text = '';
  let nodes = 0;
  walk(anchor, {
    text: (data) => void (text += data.slice(0, MAX_TEXT_CHARS)),
    enter: ({ name, attribs }) => {
      if (name === 'img') text += ` ${(attribs.alt ?? '').slice(0, MAX_TEXT_CHARS)} `;
      return name !== 'svg' && name !== 'style' && name !== 'script';
    },
    isDone: () => ++nodes > MAX_TEXT_NODES || text.length > MAX_TEXT_CHARS,
  });
  const shown = collapse(text);
  return (
    shown === '' ? (anchor.attribs['aria-label'] ?? anchor.attribs.title ?? '') : shown
  ).slice(0, MAX_TEXT_CHARS);
}
