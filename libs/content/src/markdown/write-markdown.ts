import { type Document, type Element } from 'domhandler';
import { walk } from '../dom/walk.js';
import { type TruncationReason } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { MarkdownWriter } from './markdown-writer.js';

export interface WrittenMarkdown {
  readonly markdown: string;
  readonly truncatedBy?: TruncationReason;
}

/** Markdown (CommonMark and GFM tables) of all a reader would see of a page. */
export function writeMarkdown(root: Document | Element, resolver: UrlResolver): WrittenMarkdown {
  const writer = new MarkdownWriter(resolver);
  walk(root, writer);
  return writer.finish();
}
