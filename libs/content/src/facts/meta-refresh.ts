import { type Element } from 'domhandler';
import { MAX_LINK_URL_CHARS } from '../limits.js';

/**
 * Target of a `<meta http-equiv=refresh>` (HTML standard 4.2.5.3), as written; empty when the page
 * names itself by naming nothing. Null without a refresh that a browser would follow.
 */
export function metaRefreshOf(described: readonly Element[]): string | null {
  for (const { name, attribs, parent } of described) {
    if (name !== 'meta' || attribs['http-equiv']?.trim().toLowerCase() !== 'refresh') continue;
    // In a noscript it is for browsers without scripts; the rungs either run scripts or are no browser.
    if (parent !== null && 'name' in parent && parent.name === 'noscript') continue;
    const target = targetOf(attribs.content ?? '');
    if (target !== null) return target;
  }
  return null;
}

function targetOf(content: string): string | null {
  const text = content.slice(0, MAX_LINK_URL_CHARS).trim();
  const time = /^(?:\d+(?:\.[\d.]*)?|\.\d[\d.]*)/.exec(text)?.[0];
  if (time === undefined) return null;
  const rest = text.slice(time.length).replace(/^\s*[;,]?\s*/, '');
  const url = rest.replace(/^url\s*=\s*/i, '');
  const quote = url.charAt(0);
  if (quote !== '"' && quote !== "'") return url.trim();
  const end = url.indexOf(quote, 1);
  return (end === -1 ? url.slice(1) : url.slice(1, end)).trim();
}
