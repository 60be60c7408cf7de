import type { Document } from 'domhandler';
import { parseHtml, parsePage } from '../dom/parse-html.js';
import { failedFile, type FileOptions, type FileResult } from '../files/file-result.js';
import { documentText } from '../files/plain-text.js';
import { MAX_FILE_CHARS, MAX_LINKS, MAX_METADATA_CHARS } from '../limits.js';
import { UrlResolver, isWebAddress } from '../links/url-resolver.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import { DocumentReader } from './read-document.js';
import { decodeXml, unpackDocx, type DocxParts } from './unpack-docx.js';
import { XmlError } from './xml-tree.js';
import { collapse, textOf, walk } from '../dom/walk.js';

/**
 * Reads a DOCX by way of HTML, so that its Markdown is as a page's. Never throws.
 */
export function readDocx(bytes: Uint8Array, options: FileOptions): FileResult {
  const unpacked = unpackDocx(bytes);
  if (!unpacked.ok) return unpacked;
  try {
    const reader = new DocumentReader(unpacked.parts);
    const html = reader.read();
    return html === undefined
      ? failedFile('malformed', 'The DOCX is damaged and cannot be read')
      : present(html, reader.isPartial, unpacked.parts, options.maxChars ?? MAX_FILE_CHARS);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return failedFile('malformed', `The DOCX is refused: ${error.message}`);
  }
}

function present(html: string, isPartial: boolean, parts: DocxParts, maxChars: number): FileResult {
  const { document, truncatedBy } = parsePage(html);
  const written = writeMarkdown(document, new UrlResolver(''));
  const whole = documentText(document);
  if (whole.trim() === '') return failedFile('no_text', 'The DOCX has no text');
  const markdown = cutAtBlock(written.markdown, maxChars);
  const isCut = markdown.length < written.markdown.length;
  const unread = isPartial ? 'unreadable_parts' : undefined;
  const cut = isCut ? 'max_chars' : (truncatedBy ?? written.truncatedBy ?? unread);
  const title = documentTitle(parts, document);
  const links = webLinks(document);
  return {
    ok: true,
    file: {
      format: 'docx',
      markdown,
      text: cutAtBlock(whole, maxChars),
      ...(title === undefined ? {} : { title }),
      ...(links.length === 0 ? {} : { links }),
      ...(cut === undefined ? {} : { truncatedBy: cut }),
    },
  };
}

function cutAtBlock(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf('\n\n', maxChars);
  return `${text.slice(0, end > 0 ? end : maxChars).trimEnd()}\n`;
}

/** By the file's properties, else its first heading. */
function documentTitle(parts: DocxParts, document: Document): string | undefined {
  const core = parts.get('docProps/core.xml');
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
function webLinks(document: Document): string[] {
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
