import { declaredEncoding } from './encoding-label.js';

/** The encoding that a meta element with these attributes declares, if any (HTML 13.2.3.2). */
export function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  // An unknown charset still silences the element's content attribute.
  if (charset !== undefined) return declaredEncoding(charset);
  const content = attributes.get('content');
  if (content === undefined || attributes.get('http-equiv') !== 'content-type') return undefined;
  const label = charsetOfContent(content);
  return label === undefined ? undefined : declaredEncoding(label);
}

const CHARSET = /charset[\t\n\f\r ]*=[\t\n\f\r ]*/gi;
const BARE_LABEL = /[^\t\n\f\r ;]+/y;

/** "Extracting a character encoding from a meta element" (HTML standard 2.4.1): the label alone. */
export function charsetOfContent(content: string): string | undefined {
  CHARSET.lastIndex = 0;
  if (!CHARSET.test(content)) return undefined;
  const start = CHARSET.lastIndex;
  const quote = content[start];
  if (quote === '"' || quote === "'") {
    const end = content.indexOf(quote, start + 1);
    return end === -1 ? undefined : content.slice(start + 1, end);
  }
  BARE_LABEL.lastIndex = start;
  return BARE_LABEL.exec(content)?.[0];
}
