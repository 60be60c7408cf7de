import { renderMarkdown } from './render-markdown.js';
import { html, type Html } from './html.js';
import { tabs, type Tab } from './tabs.js';

/** Longest raw text shown on a page. */
const MAX_RAW_CHARS = 500_000;

/** A Markdown text rendered and raw, then other views of the same page. */
export function markdownView(markdown: string, others: readonly Tab[] = []): Html {
  return tabs('look', 'Show as', [
    {
      title: 'Page',
      content: html`<article class="reading" aria-label="The page">
        ${renderMarkdown(markdown)}
      </article>`,
    },
    { title: 'Markdown', content: rawText(markdown, 'The Markdown') },
    ...others,
  ]);
}

/** Raw text. It scrolls by itself, so it can be focused by keyboard. */
export function rawText(text: string, label: string): Html {
  return html`<pre role="region" aria-label="${label}" tabindex="0">
${text.slice(0, MAX_RAW_CHARS)}</pre>
    ${text.length > MAX_RAW_CHARS && html`<p class="cut">Shown up to here.</p>`}`;
}
