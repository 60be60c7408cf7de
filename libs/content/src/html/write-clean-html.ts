import { type ContentOptions } from '@app/contracts';
import { type CpuBudget, UNBOUNDED_CPU } from '../cpu-budget.js';
import { MAX_HTML_CHARS, type TruncationReason } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { clipText } from '../markdown/clip-text.js';
import { type PagePart, walkPart } from '../selection/page-part.js';
import { type CleanHtml, CleanHtmlWriter } from './clean-html-writer.js';
import { escapeHtmlText } from './escape-html.js';

export type WrittenHtml = Pick<CleanHtml, 'html' | 'truncatedBy'>;

/**
 * A part of a page as HTML without anything that runs, styles or hides: what Markdown shows, in the page's own
 * elements. A page that says nothing but to browsers without scripts has that to say.
 */
export function writeCleanHtml(
  part: PagePart,
  resolver: UrlResolver,
  { removeBase64Images }: Pick<ContentOptions, 'removeBase64Images'>,
  cpu: CpuBudget = UNBOUNDED_CPU,
): WrittenHtml {
  const write = (showsNoscript: boolean): CleanHtml => {
    const writer = new CleanHtmlWriter({ resolver, removeBase64Images, cpu, showsNoscript });
    walkPart(part, writer, () => writer.boundary());
    return writer.finish();
  };
  const written = write(false);
  const { isBlank, ...whole } = written;
  if (!isBlank || written.truncatedBy === 'max_cpu') return whole;
  const { isBlank: _, ...again } = write(true);
  return again;
}

/** A body that is no HTML, as it would be read in a browser. */
export function plainHtml(text: string): WrittenHtml {
  const shown = clipText(text, MAX_HTML_CHARS);
  const reason: { readonly truncatedBy?: TruncationReason } =
    shown.length < text.length ? { truncatedBy: 'max_html_chars' } : {};
  // A parser drops the line feed that follows the tag.
  return { html: shown === '' ? '' : `<pre>\n${escapeHtmlText(shown)}</pre>`, ...reason };
}
