import MarkdownIt from 'markdown-it';
import { html, renderedMarkup, type Html } from './html.js';
import { webLink, webLinkAttributes } from './web-link.js';

/** Enough for a long article; a longer text is marked as cut, and complete in the raw view. */
export const MAX_RENDERED_CHARS = 200_000;
/** Headings of a text are below the two levels of the page. */
const HEADINGS_ABOVE = 2;

/**
 * CommonMark with tables and strikethrough. Markup in the text is shown as text; addresses are checked when they are
 * rendered, so those of other kinds leave their words.
 */
const markdown = new MarkdownIt({ html: false });
markdown.validateLink = () => true;

/** A table that is wider than its place scrolls; by keyboard, too. */
export const TABLE_RULES = {
  table_open: () => '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>',
  table_close: () => '</table></div>',
  th_open: () => '<th scope="col">',
  td_open: () => '<td>',
} satisfies typeof markdown.renderer.rules;

Object.assign(markdown.renderer.rules, TABLE_RULES, {
  heading_open: (tokens, at) => `<${lowered(tokens[at]?.tag)}>`,
  heading_close: (tokens, at) => `</${lowered(tokens[at]?.tag)}>`,
  fence: (tokens, at) => codeBlock(tokens[at]?.content ?? ''),
  code_block: (tokens, at) => codeBlock(tokens[at]?.content ?? ''),
  link_open: (tokens, at, _options, state = {}) => {
    const attributes = webLinkAttributes(String(tokens[at]?.attrGet('href')));
    state['isLinked'] = attributes !== null;
    return attributes === null ? '' : `<a ${attributes.toString()}>`;
  },
  link_close: (_tokens, _at, _options, state = {}) => {
    const close = state['isLinked'] ? '</a>' : '';
    state['isLinked'] = false;
    return close;
  },
  /** It is not loaded: its words are, and link to it. */
  image: (tokens, at, _options, state = {}) => {
    const words = html`<span class="image">${tokens[at]?.content || 'Image'}</span>`;
    const shown = state['isLinked'] ? words : webLink(String(tokens[at]?.attrGet('src')), words);
    return shown.toString();
  },
} satisfies typeof markdown.renderer.rules);

/**
 * Renders untrusted Markdown: no elements but those of Markdown, links are http or https, and no image is loaded. 200,000
 * characters of an article take some 50 ms, of the worst ones we know some 700.
 */
export function renderMarkdown(text: string): Html {
  const shown = renderedMarkup(markdown.render(text.slice(0, MAX_RENDERED_CHARS), {}));
  return html`${shown}${text.length > MAX_RENDERED_CHARS && html`<p class="cut">Shown up to here.</p>`}`;
}

function lowered(tag = 'h1'): string {
  return `h${Math.min(6, Number(tag.slice(1)) + HEADINGS_ABOVE)}`;
}

/** @param attributes of the code, from a space on */
export function codeBlock(code: string, attributes?: Html): string {
  return html`<pre tabindex="0"><code${attributes}>${code.replace(/\n$/, '')}</code></pre>`.toString();
}
