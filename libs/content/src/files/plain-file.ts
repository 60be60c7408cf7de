import { decodeBody, sniffCharset } from '../charset/sniff-charset.js';
import {
  markdownLinks,
  markdownMetadata,
  withoutInlinedImages,
} from '../markdown-page/read-markdown-page.js';
import type { FileContent } from './file-content.js';
import type { FileOptions } from './file-result.js';

/** Markdown, or text that is read as Markdown: as it is, without pictures that are written out in it. */
export function readPlainText(bytes: Uint8Array, { hint }: FileOptions): FileContent {
  const declared = hint?.contentType?.startsWith('text/') ? hint.contentType : 'text/plain';
  const decoded = decodeBody(bytes, sniffCharset(bytes, declared));
  const text = decoded.replaceAll('\0', '').replace(/\r\n?/g, '\n').trimEnd();
  const { title } = markdownMetadata(text);
  const markdown = withoutInlinedImages(text);
  const { links } = markdownLinks(text, '');
  return { markdown: `${markdown}\n`, text: markdown, links, ...(title ? { title } : {}) };
}
