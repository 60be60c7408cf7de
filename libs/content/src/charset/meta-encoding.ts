import { declaredEncoding } from './encoding-label.js';

/** Reads the attributes of a meta element: the encoding it declares, if any. */
export type ReadMeta = (attributes: ReadonlyMap<string, string>) => string | undefined;

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

/**
 * The encoding that a meta element is meant to declare although browsers do not count it: an attribute or its value is
 * misspelled (`httpequiv="ContentType"`), or the label is (`windows1251`).
 */
export function encodingOfFaultyMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  const content = subjectOf(attributes) === undefined ? undefined : attributes.get('content');
  const labels = [charset, content].flatMap((text) => [text, charsetOfContent(text ?? '')]);
  return labels
    .flatMap((label = '') => [label, tidyLabel(label)])
    .map(declaredEncoding)
    .find((encoding) => encoding !== undefined);
}

/** What an element is about, if that is an encoding. */
const subjectOf = (attributes: ReadonlyMap<string, string>): string | undefined =>
  [...attributes].find(
    ([name, value]) =>
      /equiv|^name$|^property$/.test(name) && /^(?:content.?type|charset|encoding)$/.test(value),
  )?.[1];

const tidyLabel = (label: string): string =>
  label.replaceAll('_', '-').replace(/^(?:cp|win|windows)-?(?=\d)/, 'windows-');

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
