import { type Element, isText } from 'domhandler';

/** A block of structured data (JSON-LD 1.1, 7.1), parameters of its type apart. */
export const isJsonLdScript = ({ name, attribs }: Element): boolean =>
  name === 'script' && /^\s*application\/ld\+json\b/i.test(attribs.type ?? '');

/** The source of a script, or the text of another element that holds nothing but text. */
export function scriptText({ children }: Element): string {
  return children.map((child) => (isText(child) ? child.data : '')).join('');
}
