import { renderMarkdown } from './render-markdown.js';
import { html, type Html } from './html.js';

/** Longest raw text shown on a page. */
const MAX_RAW_CHARS = 500_000;

/**
 * Two views of a Markdown text: rendered and raw. Radio buttons switch between them, so that it works
 * without a script and by keyboard.
 */
export function markdownView(markdown: string, name = 'look'): Html {
  const raw = markdown.slice(0, MAX_RAW_CHARS);
  return html`<div class="looks">
    <fieldset>
      <legend>Show as</legend>
      <input type="radio" name="${name}" id="${name}-read" checked />
      <label for="${name}-read">Page</label>
      <input type="radio" name="${name}" id="${name}-raw" />
      <label for="${name}-raw">Markdown</label>
    </fieldset>
    <article class="reading" aria-label="The page">${renderMarkdown(markdown)}</article>
    <div class="raw">
      ${rawText(raw, 'The Markdown')}
      ${raw.length < markdown.length && html`<p class="cut">Shown up to here.</p>`}
    </div>
  </div>`;
}

/** Raw text. It scrolls by itself, so it can be focused by keyboard. */
export function rawText(text: string, label: string): Html {
  return html`<pre role="region" aria-label="${label}" tabindex="0">
${text.slice(0, MAX_RAW_CHARS)}</pre>`;
}
