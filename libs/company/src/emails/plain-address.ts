/** Reads `user@host` in text. Each `@` is examined once and in bounded surroundings. */

const LOCAL_CHAR = /[\w.%+'-]/;
const HOST_CHAR = /[a-z\d.\u00df-\u024f-]/i;
const MAX_LOCAL_CHARS = 64;
const MAX_HOST_CHARS = 190;

export interface AddressInText {
  readonly address: string;
  /** Where it begins in the text. */
  readonly index: number;
}

/** All addresses of a text, at most `most`. */
export function plainAddresses(text: string, most = Infinity): readonly AddressInText[] {
  const found: AddressInText[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (found.length >= most) break;
    const start = localStart(text, at);
    const host = start === at ? undefined : tidyHost(hostAfter(text, at));
    if (host === undefined) continue;
    found.push({ address: `${text.slice(start, at)}@${host}`, index: start });
  }
  return found;
}

function localStart(text: string, at: number): number {
  let start = at;
  const least = Math.max(0, at - MAX_LOCAL_CHARS);
  while (start > least && LOCAL_CHAR.test(text[start - 1] ?? '')) start--;
  // Characters around an address are no part of it: quotes, a bullet, an encoded space.
  const around = /^(?:[.'%+-]|%20|%3A|u003[ce])+/i.exec(text.slice(start, at))?.[0] ?? '';
  // No mailbox ends in a dot or begins after a sign: `a@b@c.com` is no address.
  return text[at - 1] === '.' || text[start - 1] === '@' ? at : start + around.length;
}

function hostAfter(text: string, at: number): string {
  let end = at + 1;
  const most = Math.min(text.length, at + 1 + MAX_HOST_CHARS);
  while (end < most && HOST_CHAR.test(text[end] ?? '')) end++;
  // `a@b.com@c` is no address, and neither is `logo@2x.png?v=@`.
  return text[end] === '@' ? '' : text.slice(at + 1, end);
}

const LABEL = /^[a-z\d\u00df-\u024f](?:[a-z\d\u00df-\u024f-]{0,61}[a-z\d\u00df-\u024f])?$/i;
const TOP_LEVEL = /^(?:[a-z]{2,24}|xn--[a-z\d-]{2,59})$/i;

/**
 * The host in what follows an `@`, in lower case; undefined when there is none. The next sentence
 * often follows without a space: `acme.com.Call us`, `acme.comPhone`.
 */
export function tidyHost(text: string): string | undefined {
  const labels = text.replace(/(?<![.-])[.-]+$/, '').split('.');
  const glued = labels.findIndex((label, index) => index >= 2 && startsSentence(label, labels));
  const kept = glued === -1 ? labels : labels.slice(0, glued);
  const last = kept.at(-1) ?? '';
  const stuck = /^([a-z]{2,24})[A-Z]/.exec(last);
  if (stuck?.[1] !== undefined) kept[kept.length - 1] = stuck[1];
  const isHost =
    kept.length >= 2 &&
    kept.every((label) => LABEL.test(label)) &&
    TOP_LEVEL.test(kept.at(-1) ?? '');
  return isHost ? kept.join('.').toLowerCase() : undefined;
}

const startsSentence = (label: string, labels: readonly string[]): boolean =>
  /^[A-Z]/.test(label) && !/[A-Z]/.test(labels.slice(0, 2).join(''));
