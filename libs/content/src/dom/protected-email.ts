import { Text, type Element } from 'domhandler';
import { textOf } from './walk.js';

/** The attribute in which Cloudflare hides an address of the text. */
export const PROTECTED_EMAIL = 'data-cfemail';

const LINK = '/cdn-cgi/l/email-protection#';
const PLACEHOLDER = /^\s*\[email\sprotected\]\s*$/;
const MAX_PLACEHOLDER_CHARS = 50;

export const isProtectedLink = (target: string): boolean => target.includes(LINK);

/**
 * Does what Cloudflare's script does with the e-mail addresses that it hides from robots: its elements become the text
 * they stand for, its links `mailto:`. What does not decode stays as it is.
 */
export function revealEmail(element: Element): void {
  const text = protectedText(element.attribs[PROTECTED_EMAIL]);
  const address = protectedText(element.attribs.href?.split(LINK)[1]?.trim());
  if (text !== undefined) {
    element.name = 'span';
    element.attribs = {};
    setText(element, text);
  } else if (address !== undefined) {
    element.attribs.href = `mailto:${address}`;
    const isBare = PLACEHOLDER.test(textOf(element, MAX_PLACEHOLDER_CHARS));
    if (isBare) setText(element, address.split('?', 1).join(''));
  }
}

function setText(element: Element, text: string): void {
  const only = new Text(text);
  only.parent = element;
  element.children = [only];
}

const MAX_HEX_CHARS = 2_000;

/** Hexadecimal pairs, of which the first is the key that all others are exclusive-ored with. */
function protectedText(hex: string | undefined): string | undefined {
  if (hex === undefined || hex.length > MAX_HEX_CHARS || !/^(?:[\da-f]{2}){4,}$/i.test(hex))
    return undefined;
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const [key = 0] = bytes;
  const text = new TextDecoder().decode(bytes.subarray(1).map((byte) => byte ^ key));
  return text.includes('@') && !/[\0-\x1f\x7f\ufffd]/.test(text) ? text : undefined;
}
