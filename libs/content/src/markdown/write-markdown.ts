import { type Document, type Element } from 'domhandler';
import { type CpuBudget, UNBOUNDED_CPU } from '../cpu-budget.js';
import { walk } from '../dom/walk.js';
import { type TruncationReason } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { type PagePart, walkPart } from '../selection/page-part.js';
import { InlinedImages } from './image-source.js';
import { MarkdownWriter, type WriterOptions } from './markdown-writer.js';

export interface WrittenMarkdown {
  readonly markdown: string;
  readonly truncatedBy?: TruncationReason;
}

/** Markdown (CommonMark and GFM tables) of all a reader would see of a page. */
export function writeMarkdown(root: Document | Element, resolver: UrlResolver): WrittenMarkdown {
  const part = { roots: [root], dropped: new Set<Element>(), isCut: false };
  const write = { resolver, inlined: new InlinedImages(false), cpu: UNBOUNDED_CPU };
  return writeOnce(part, write, (writer) => walk(root, writer));
}

export interface PartOptions {
  /** Inlined images keep their description alone. */
  readonly removeBase64Images: boolean;
}

/** {@link writeMarkdown} of a part of a page; its elements become blocks of their own. */
export function writePart(
  part: PagePart,
  resolver: UrlResolver,
  options: PartOptions,
  cpu: CpuBudget = UNBOUNDED_CPU,
): WrittenMarkdown {
  const inlined = new InlinedImages(options.removeBase64Images);
  return writeOnce(part, { resolver, inlined, cpu }, (writer) =>
    walkPart(part, writer, () => writer.boundary()),
  );
}

/** A page that says nothing but to browsers without scripts has that to say. */
function writeOnce(
  part: PagePart,
  options: Omit<WriterOptions, 'showsNoscript'>,
  walkThrough: (writer: MarkdownWriter) => void,
): WrittenMarkdown {
  const write = (showsNoscript: boolean): WrittenMarkdown => {
    const writer = new MarkdownWriter(part, { ...options, showsNoscript });
    walkThrough(writer);
    return writer.finish();
  };
  const written = write(false);
  const isEmpty = written.markdown === '' && written.truncatedBy !== 'max_cpu';
  return isEmpty ? write(true) : written;
}
