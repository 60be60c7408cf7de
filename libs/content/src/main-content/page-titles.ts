import { type Block, type BlockTree } from './block-tree.js';
import { scriptText } from '../dom/script-element.js';
import { type StatedArticle } from './stated-article.js';

/** Between a title and the name of its site. */
const SEPARATOR = /\s[|–—:·•»«/-]+\s/;
const MAX_TITLE_CHARS = 1_000;
const MAX_TITLES = 20;

/** The titles a page gives itself, to know them again in its text. */
export class PageTitles {
  private readonly titles = new Set<string>();

  constructor(
    { metas, titles }: Pick<BlockTree, 'metas' | 'titles'>,
    { headlines }: StatedArticle,
  ) {
    for (const title of titles.slice(0, 1)) this.add(scriptText(title));
    for (const { attribs } of metas) {
      const name = (attribs.property ?? attribs.name)?.toLowerCase();
      if (name === 'og:title' || name === 'twitter:title') this.add(attribs.content ?? '');
    }
    for (const headline of headlines) this.add(headline);
  }

  has(text: string): boolean {
    return this.titles.has(wordsOf(text));
  }

  /** Whether the title is above a block: a first heading inside is then another one. */
  isShownBefore(blocks: readonly Block[], { index }: Block): boolean {
    for (let at = 0; at < index; at++) {
      const block = blocks[at];
      if (block?.name === 'h1' && this.has(block.text)) return true;
    }
    return false;
  }

  private add(title: string): void {
    const text = title.slice(0, MAX_TITLE_CHARS);
    for (const part of [text, ...text.split(SEPARATOR)].slice(0, MAX_TITLES)) {
      const words = wordsOf(part);
      if (words !== '') this.titles.add(words);
    }
  }
}

const wordsOf = (text: string): string =>
  text
    .slice(0, MAX_TITLE_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
