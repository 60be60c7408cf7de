import { type Document } from 'domhandler';
import { collapse, textOf, walk } from '../dom/walk.js';
import { parseHtml } from '../dom/parse-html.js';
import { MAX_LINKS, MAX_METADATA_CHARS } from '../limits.js';
import { isWebAddress } from '../links/url-resolver.js';
import { decodeXml, type DocxParts } from './unpack-docx.js';

/** By the file's properties, else its first heading. */
export function documentTitle(parts: DocxParts, document: Document): string | undefined {
  const core = parts['docProps/core.xml'];
  const named =
    core === undefined ? undefined : firstText(parseHtml(decodeXml(core)), /^dc:title$/);
  return named ?? firstText(document, /^h1$/);
}

function firstText(document: Document, name: RegExp): string | undefined {
  let found: string | undefined;
  walk(document, {
    text: () => undefined,
    enter(element) {
      if (name.test(element.name)) found ??= collapse(textOf(element, MAX_METADATA_CHARS));
      return true;
    },
    isDone: () => found !== undefined,
  });
  return found === '' ? undefined : found;
}

/** Addresses of the web that the document links to, each once. */
export function webLinks(document: Document): string[] {
  const links = new Set<string>();
  walk(document, {
    text: () => undefined,
    enter({ name, attribs }) {
      const address = name === 'a' ? URL.parse(attribs.href ?? '')?.href : undefined;
      if (address !== undefined && isWebAddress(address)) links.add(address);
      return true;
    },
    isDone: () => links.size >= MAX_LINKS,
  });
  return [...links];
}
