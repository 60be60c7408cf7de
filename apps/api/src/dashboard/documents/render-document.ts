import MarkdownIt, { type Token } from 'markdown-it';
import { codeBlock, TABLE_RULES } from '../html/render-markdown.js';
import { html, renderedMarkup, type Html } from '../html/html.js';

/** A heading that its address leads to. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A part of a document: a heading and the text up to the next. */
export interface Section extends Heading {
  readonly body: string;
}

export interface RenderedDocument {
  readonly content: Html;
  /** Those below the title. */
  readonly headings: readonly Heading[];
}

const markdown = new MarkdownIt({ html: false });

Object.assign(markdown.renderer.rules, TABLE_RULES, {
  fence: (tokens, at) => codeBlock(tokens[at]?.content ?? '', html` data-copy`),
  code_block: (tokens, at) => codeBlock(tokens[at]?.content ?? '', html` data-copy`),
  heading_open: (tokens, at) => {
    const { tag = 'h2' } = tokens[at] ?? {};
    return html`${renderedMarkup(`<${tag} `)}id="${headingId(tokens[at + 1]?.content ?? '')}">`.toString();
  },
  link_open: (tokens, at) => {
    const address = pageAddress(String(tokens[at]?.attrGet('href')));
    return html`${renderedMarkup('<a ')}href="${address}">`.toString();
  },
  image: (tokens, at) => {
    const { content = '' } = tokens[at] ?? {};
    const source = `/docs/${tokens[at]?.attrGet('src')}`;
    const image = html`<img src="${source}" alt="${content}" loading="lazy" />`;
    // Pictures of pages come in pairs: see scripts/pictures.mjs.
    if (!source.endsWith('.webp')) return image.toString();
    const dark = source.replace(/\.webp$/, '-dark.webp');
    return html`<picture
      ><source srcset="${dark}" media="(prefers-color-scheme: dark)" />
      ${image}</picture
    >`.toString();
  },
} satisfies typeof markdown.renderer.rules);

/** Renders a document of the project, without its title. Its links lead to pages, its images come from us. */
export function renderDocument(text: string): RenderedDocument {
  const tokens = markdown.parse(text, {});
  const start = tokens.findIndex(({ type }) => type === 'heading_close') + 1;
  const body = tokens.slice(start).map(asSection);
  return {
    content: renderedMarkup(markdown.renderer.render(body, markdown.options, {})),
    headings: headingsIn(body),
  };
}

/** A second title of a document is a section of its page. */
function asSection(token: Token): Token {
  if (token.tag === 'h1') token.tag = 'h2';
  return token;
}

function headingsIn(tokens: readonly Token[]): readonly Heading[] {
  return tokens.flatMap(({ type, tag }, at) => {
    if (type !== 'heading_open') return [];
    const text = tokens[at + 1]?.content ?? '';
    return [{ level: Number(tag.slice(1)), text: plainText(text), id: headingId(text) }];
  });
}

const HEADING = /^(#{1,6}) (.+)$/;
const FENCE = /^\s*```/;

/** The sections of a document, for a search: their words without the marks of Markdown. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { level: number; text: string; id: string; body: string }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks, title] = (!isCode && HEADING.exec(line)) || [];
    if (marks && title)
      sections.push({
        level: marks.length,
        text: plainText(title),
        id: marks.length === 1 ? '' : headingId(title),
        body: '',
      });
    const last = sections.at(-1);
    if (last && !title && !FENCE.test(line)) last.body += `${isCode ? line : plainText(line)}\n`;
  }
  return sections;
}

/** As the usual viewers of Markdown name it. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function plainText(line: string): string {
  return line
    .replace(/!?\[([^\][]*)\]\([^)\s]{0,500}\)/g, '$1')
    .replace(/[`|]|\*\*|^\s*[-*>] |-{3,}/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** The page of a document beside this one; other addresses stay. */
function pageAddress(target: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  return name === undefined ? target : `/docs/${name}${anchor}`;
}
