import type { Element } from 'domhandler';
import { scriptText } from '../dom/script-element.js';
import { type BlockTree } from './block-tree.js';

/** What a page says it is, by its metadata. */
export type PageKind = 'article' | 'forum' | 'unknown';

const ARTICLE_TYPE = /"@type"\s*:\s*(?:\[\s*)?"[A-Za-z]{0,30}(?:Article|BlogPosting)"/;
const FORUM_TYPE = /"(?:DiscussionForumPosting|QAPage)"/;
const ARTICLE_ITEM = /schema\.org\/[A-Za-z]{0,30}(?:Article|BlogPosting)\b/;

export function pageKindOf({ blocks, metas, jsonLd }: BlockTree): PageKind {
  const scripts = jsonLd.map(scriptText);
  if (scripts.some((script) => FORUM_TYPE.test(script))) return 'forum';
  const isArticle =
    metas.some(saysArticle) ||
    scripts.some((script) => ARTICLE_TYPE.test(script)) ||
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
