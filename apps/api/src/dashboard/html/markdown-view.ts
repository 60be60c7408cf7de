import { renderMarkdown } from './render-markdown.js';
import { html, type Html, type Piece } from './html.js';
import type { Tab } from './tabs.js';

/** Longest raw text shown on a page. */
const MAX_RAW_CHARS = 500_000;

/**
 * A Markdown text rendered and raw.
 * @param beside shown next to the rendered text
 */
export function markdownTabs(markdown: string, beside?: Piece): readonly Tab[] {
  const text =
    markdown === ''
      ? html`<p class="empty">The page has no text.</p>`
      : html`<article class="reading" aria-label="The page">${renderMarkdown(markdown)}</article>`;
  return [
    { title: 'Page', content: beside ? html`<div class="beside">${text} ${beside}</div>` : text },
    { title: 'Markdown', content: rawText(markdown, 'The Markdown', true) },
  ];
}

/**
 * Raw text. It scrolls by itself, so it can be focused by keyboard.
 * @param canCopy with a button to copy it
 */
export function rawText(text: string, label: string, canCopy = false): Html {
  const shown = text.slice(0, MAX_RAW_CHARS);
  return html`<pre role="region" aria-label="${label}" tabindex="0">
${canCopy ? html`<code data-copy>${shown}</code>` : shown}</pre>
    ${text.length > MAX_RAW_CHARS && html`<p class="cut">Shown up to here.</p>`}`;
}
