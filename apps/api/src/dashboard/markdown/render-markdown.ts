import { html, type Html } from '../html/html.js';
import { renderBlocks } from './render-blocks.js';

/** Enough for a long article; a longer text is marked as cut, and complete in the raw view. */
export const MAX_RENDERED_CHARS = 200_000;

/**
 * Renders untrusted Markdown: every text is escaped, only elements of this folder are created, links
 * are http or https, and no image is loaded. Unknown syntax is shown as text. The cost is linear in
 * the length of the text, whatever it contains.
 */
export function renderMarkdown(text: string): Html {
  const shown = text.slice(0, MAX_RENDERED_CHARS);
  const lines = shown.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  const cut = text.length > shown.length;
  return html`${renderBlocks(lines)}${cut && html`<p class="cut">Shown up to here.</p>`}`;
}
