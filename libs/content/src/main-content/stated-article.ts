import { isItem, type JsonLdItem, typesOf } from '../json-ld/json-ld-item.js';
import { type JsonLd } from '../json-ld/read-json-ld.js';
import { MAX_JSON_LD_NODES } from '../limits.js';

/** What the JSON-LD of a page says of its main content. */
export interface StatedArticle {
  readonly isArticle: boolean;
  readonly isForum: boolean;
  /** The first of each block. */
  readonly headlines: readonly string[];
  /** The longest `articleBody`; empty: there is none. */
  readonly body: string;
  /** Of the first recipe, as many as are read. */
  readonly ingredients: readonly string[];
}

const MAX_INGREDIENTS = 100;
const MAX_INGREDIENT_CHARS = 200;

const ARTICLE_TYPE = /^[A-Za-z]{0,30}(?:Article|BlogPosting)$/;
const FORUM_TYPES: ReadonlySet<string> = new Set(['DiscussionForumPosting', 'QAPage']);

export function statedArticle({ blocks }: JsonLd): StatedArticle {
  const reader = new ArticleReader();
  for (const block of blocks) reader.readBlock(block);
  return reader;
}

class ArticleReader implements StatedArticle {
  isArticle = false;
  isForum = false;
  readonly headlines: string[] = [];
  body = '';
  ingredients: readonly string[] = [];
  private nodes = 0;

  readBlock(block: unknown): void {
    const before = this.headlines.length;
    const waiting: object[] = [];
    pushNode(waiting, block);
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (++this.nodes > MAX_JSON_LD_NODES) return;
      if (isItem(node)) this.readItem(node, this.headlines.length === before);
      const inner: readonly unknown[] = Object.values(node);
      // Backwards, so that the stack returns them in document order.
      for (let at = inner.length - 1; at >= 0; at--) pushNode(waiting, inner[at]);
    }
  }

  private readItem(item: JsonLdItem, isHeadlineOpen: boolean): void {
    const { articleBody, headline, recipeIngredient } = item;
    const types = typesOf(item);
    this.isArticle ||= types.some((type) => ARTICLE_TYPE.test(type));
    this.isForum ||= types.some((type) => FORUM_TYPES.has(type));
    if (typeof articleBody === 'string' && articleBody.length > this.body.length)
      this.body = articleBody;
    if (this.ingredients.length === 0 && Array.isArray(recipeIngredient))
      this.ingredients = textsOf(recipeIngredient.slice(0, MAX_INGREDIENTS));
    if (isHeadlineOpen && typeof headline === 'string') this.headlines.push(headline);
  }
}

const textsOf = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) =>
    typeof value === 'string' ? value.slice(0, MAX_INGREDIENT_CHARS) : [],
  );

function pushNode(waiting: object[], value: unknown): void {
  if (typeof value === 'object' && value !== null) waiting.push(value);
}
