import { type ContentOptions } from '@app/contracts';
import { type Document, type Element } from 'domhandler';
import { type CpuBudget, UNBOUNDED_CPU } from '../cpu-budget.js';
import { walk } from '../dom/walk.js';
import { type TruncationReason } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { type PagePart, walkPart } from '../selection/page-part.js';
import { FootnoteLabels, type FootnotePart } from './footnotes.js';
import { InlinedImages } from './image-source.js';
import { LinkAddresses } from './link-addresses.js';
import { MarkdownWriter } from './markdown-writer.js';

export interface WrittenMarkdown {
  readonly markdown: string;
  readonly truncatedBy?: TruncationReason;
}

/**
 * Markdown (CommonMark and GFM tables) of all a reader would see of a page.
 * @param labels of its footnotes and of those in the same text before it
 */
export function writeMarkdown(
  root: Document | Element,
  resolver: UrlResolver,
  labels = new FootnoteLabels(),
): WrittenMarkdown {
  const part: FootnotePart = { roots: [root], dropped: new Set(), isCut: false, labels };
  return writeOnce(part, resolver, {}, (writer) => walk(root, writer));
}

export interface PartOptions extends Pick<ContentOptions, 'linkStyle'> {
  /** Inlined images keep their description alone. @default false */
  readonly removeBase64Images?: boolean;
  /** @default unbounded */
  readonly cpu?: CpuBudget;
}

/** {@link writeMarkdown} of a part of a page; its elements become blocks of their own. */
export function writePart(
  part: PagePart,
  resolver: UrlResolver,
  options: PartOptions,
): WrittenMarkdown {
  return writeOnce(part, resolver, options, (writer) =>
    walkPart(part, writer, () => writer.boundary()),
  );
}

/** A page that says nothing but to browsers without scripts has that to say. */
function writeOnce(
  part: PagePart,
  resolver: UrlResolver,
  { removeBase64Images = false, linkStyle, cpu = UNBOUNDED_CPU }: PartOptions,
  walkThrough: (writer: MarkdownWriter) => void,
): WrittenMarkdown {
  const write = (showsNoscript: boolean): WrittenMarkdown => {
    const targets = {
      resolver,
      inlined: new InlinedImages(removeBase64Images),
      addresses: new LinkAddresses(linkStyle),
    };
    const writer = new MarkdownWriter(part, { ...targets, cpu, showsNoscript });
    walkThrough(writer);
    return writer.finish();
  };
  const written = write(false);
  const isEmpty = written.markdown === '' && written.truncatedBy !== 'max_cpu';
  return isEmpty ? write(true) : written;
}
