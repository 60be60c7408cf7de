import type { Element } from 'domhandler';
import { type BlockTree } from './block-tree.js';
import { type StatedArticle } from './stated-article.js';

/** What a page says it is, by its metadata. */
export type MainContentKind = 'article' | 'forum' | 'unknown';

const ARTICLE_ITEM = /schema\.org\/[A-Za-z]{0,30}(?:Article|BlogPosting)\b/;

export function pageKindOf({ blocks, metas }: BlockTree, stated: StatedArticle): MainContentKind {
  if (stated.isForum) return 'forum';
  const isArticle =
    stated.isArticle ||
    metas.some(saysArticle) ||
    blocks.some(({ element }) => isArticleItem(element));
  return isArticle ? 'article' : 'unknown';
}

function saysArticle({ attribs }: Element): boolean {
  const name = (attribs.property ?? attribs.name)?.toLowerCase();
  if (name === 'og:type') return /article|blog/i.test(attribs.content ?? '');
  return name === 'article:published_time';
}

function isArticleItem({ attribs: { itemprop, itemtype } }: Element): boolean {
  if (itemprop?.includes('articleBody')) return true;
  return itemtype !== undefined && ARTICLE_ITEM.test(itemtype);
}
