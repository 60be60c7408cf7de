import { html, type Html } from '../html/html.js';
import { renderBlocks } from './render-blocks.js';

/** Enough for a long article; what is beyond is named, and stands in the raw text. */
export const MAX_RENDERED_CHARS = 200_000;

/**
 * Markdown of a page somebody else wrote, as markup: every text escaped, no element but those written
 * in this folder, no link but to http and https, no image loaded. What is not understood is shown as
 * it is. Takes time in proportion to the text, whatever stands in it.
 */
export function renderMarkdown(text: string): Html {
  const shown = text.slice(0, MAX_RENDERED_CHARS);
  const lines = shown.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  const cut = text.length > shown.length;
  return html`${renderBlocks(lines)}${cut && html`<p class="cut">Shown up to here.</p>`}`;
}
