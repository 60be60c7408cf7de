import type { Document } from 'domhandler';
import { parseHtml, parsePage } from '../dom/parse-html.js';
import { collapse, textOf, walk } from '../dom/walk.js';
import { MAX_LINKS, MAX_METADATA_CHARS, type TruncationReason } from '../limits.js';
import { UrlResolver, isWebAddress } from '../links/url-resolver.js';
import { FootnoteLabels } from '../markdown/footnotes.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import type { CpuBudget } from '../cpu-budget.js';
import type { FileCut } from './file-result.js';
import { documentText } from './plain-text.js';
import { decodeXml } from './xml-tree.js';

interface ContentFacts {
  /** As the file states it; its first heading stands in for it. */
  readonly title?: string | undefined;
  /** Known when all parts were read. */
  readonly cut?: FileCut | TruncationReason | undefined;
}

/** What a reader brings of a file: its parts in HTML, so that their Markdown is as a page's, or Markdown of its own. */
export type FileContent =
  | (ContentFacts & { readonly html: Iterable<string> })
  | (ContentFacts & {
      readonly markdown: string;
      readonly text: string;
      readonly links?: readonly string[];
    });

/** The content of a file in all its forms. */
export interface WrittenContent extends ContentFacts {
  readonly markdown: string;
  readonly text: string;
  readonly links: readonly string[];
}

export interface WriteBounds {
  /** Asked between parts: what was written until then is the content. */
  readonly cpu: CpuBudget;
  /** UTF-16 units of Markdown after which no further part is read. */
  readonly maxChars: number;
}

export function writeContent(content: FileContent, bounds: WriteBounds): WrittenContent {
  if ('html' in content) return writeParts(content, bounds);
  const { links = [], ...rest } = content;
  return { ...rest, links };
}

/** One after the other, so that only one tree is held. */
function writeParts(
  content: Extract<FileContent, { readonly html: unknown }>,
  { cpu, maxChars }: WriteBounds,
): WrittenContent {
  const markdown: string[] = [];
  const texts: string[] = [];
  const links = new Set<string>();
  const labels = new FootnoteLabels();
  let named = content.title;
  let cutBy: WrittenContent['cut'];
  let chars = 0;
  for (const part of content.html) {
    if (chars > maxChars || (chars > 0 && cpu.isSpent())) {
      cutBy = chars > maxChars ? 'max_chars' : 'time';
      break;
    }
    const { document, truncatedBy } = parsePage(part);
    const written = writeMarkdown(document, new UrlResolver(''), labels);
    if (written.markdown !== '') markdown.push(written.markdown);
    chars += written.markdown.length;
    const text = documentText(document);
    if (text !== '') texts.push(text);
    named ??= firstText(document, /^h1$/);
    addWebLinks(document, links);
    cutBy = truncatedBy ?? written.truncatedBy ?? cutBy;
  }
  return {
    markdown: markdown.join('\n'),
    text: texts.join('\n\n'),
    title: named,
    links: [...links],
    cut: cutBy ?? content.cut,
  };
}

/** The `dc:title` of a file's properties, whatever is around it. */
export function titleInXml(data: Uint8Array | undefined): string | undefined {
  return data && firstText(parseHtml(decodeXml(data)), /^dc:title$/);
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
function addWebLinks(document: Document, links: Set<string>): void {
  walk(document, {
    text: () => undefined,
    enter({ name, attribs }) {
      const address = name === 'a' ? URL.parse(attribs.href ?? '')?.href : undefined;
      if (address !== undefined && isWebAddress(address)) links.add(address);
      return true;
    },
    isDone: () => links.size >= MAX_LINKS,
  });
}
