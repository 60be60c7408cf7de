import { type Document, type Element } from 'domhandler';
import { type JsonLd } from '../json-ld/read-json-ld.js';
import { climb, electRoot } from './article-root.js';
import { type Block, type BlockTree, isInsideBlock, readBlocks } from './block-tree.js';
import { FurnitureFinder } from './furniture.js';
import { type MainContentKind, pageKindOf } from './page-kind.js';
import { clutterOf, flagsOf } from './site-clutter.js';
import { rootsOfPage } from './page-roots.js';
import { PageTitles } from './page-titles.js';
import { type StatedArticle, statedArticle } from './stated-article.js';
import { beyondText, findStructuredText } from './structured-text.js';
import { valueAt, weigh, type BlockWeights } from './weights.js';

/** Elements that hold the main content, and those in them that are left out. */
export interface MainContent {
  /** In document order, none inside another. */
  readonly roots: readonly (Document | Element)[];
  readonly dropped: ReadonlySet<Element>;
}

/** With less of all text outside clutter, clutter was taken for what is not. */
const MIN_SHARE_OF_BODY = 0.05;

/** Characters of running text that make an article. */
const MIN_ARTICLE_PROSE = 200;
/** Share of the article's text that is running text; of lists and tables the rest may be. */
const MIN_PROSE_SHARE = 0.3;
/**
 * Share of all running text, and of all text outside links, that an article holds. Lists of
 * articles say that they are one as well, and there it is a teaser or the description.
 */
const MIN_SHARE_OF_PAGE = 0.3;
/** What does not say that it is an article is one when it holds this share of all running text. */
const MIN_SHARE_UNDECLARED = 0.6;

/**
 * The main content of a page. Of an article: the block that holds its text, by the votes of its
 * paragraphs and by names, without captions, bylines, links to other articles and its title, which
 * the metadata has. Of other pages: the main landmark, else the articles, else the block that holds
 * nearly all text, without navigation, banners, asides and their like. Never nothing when the page
 * has text that is not excluded.
 *
 * @param excluded left out whatever it is
 */
export function findMainContent(
  document: Document,
  excluded: ReadonlySet<Element>,
  jsonLd: JsonLd,
): MainContent {
  const tree = readBlocks(document, excluded);
  const stated = statedArticle(jsonLd);
  const kind = pageKindOf(tree, stated);
  const clutter = clutterOf(tree.blocks, kind !== 'forum');
  const isOut = flagsOf(tree.blocks, clutter);
  const page = { tree, stated, kind, isOut, weights: weigh(tree.blocks, isOut) };
  const article = kind === 'forum' ? null : findArticle(page);
  if (article !== null) {
    return { roots: [article.root], dropped: allOf(excluded, [...clutter, ...article.furniture]) };
  }
  if (isMostlyClutter(page)) return { roots: [document], dropped: excluded };
  const { roots, dropped } = rootsOfPage(tree.blocks, page.weights, isOut);
  return {
    roots: roots.length === 0 ? [document] : roots,
    dropped: allOf(excluded, [...clutter, ...dropped]),
  };
}

/** The page during the search: `isOut` has a one for each block that is clutter. */
interface Page {
  readonly tree: BlockTree;
  readonly stated: StatedArticle;
  readonly kind: MainContentKind;
  readonly isOut: Uint8Array;
  readonly weights: BlockWeights;
}

function isMostlyClutter({ tree, weights }: Page): boolean {
  const outsideBlocks = tree.ink - tree.blockInk;
  return weights.totalInk + outsideBlocks <= tree.ink * MIN_SHARE_OF_BODY;
}

interface Article {
  readonly root: Element;
  /** What is left out of it. */
  readonly furniture: readonly Block[];
}

function findArticle({ tree, stated, kind, isOut, weights }: Page): Article | null {
  const elected = electRoot(tree.blocks, weights, isOut);
  if (elected === null) return null;
  const given = findStructuredText(tree, stated, isOut);
  const climbed = climb(elected, weights);
  const root = given === null || isInsideBlock(given.root, climbed) ? climbed : given.root;
  if (root !== given?.root && !isArticle(root, weights)) return null;
  if (kind !== 'article' && !isNamedArticle(elected, root, weights)) return null;
  const titles = new PageTitles(tree, stated);
  const furniture = new FurnitureFinder(tree.blocks, root, weights, titles, isOut).find();
  const beyond = given === null ? [] : beyondText(given, root, tree, weights);
  return { root: root.element, furniture: [...furniture, ...beyond] };
}

function isArticle({ index }: Block, weights: BlockWeights): boolean {
  const prose = valueAt(weights.prose, index);
  const ink = valueAt(weights.ink, index);
  const unlinked = ink - valueAt(weights.linkInk, index);
  return (
    prose >= MIN_ARTICLE_PROSE &&
    prose >= ink * MIN_PROSE_SHARE &&
    prose >= weights.totalProse * MIN_SHARE_OF_PAGE &&
    unlinked >= (weights.totalInk - weights.totalLinkInk) * MIN_SHARE_OF_PAGE
  );
}

/** A page that does not say what it is: by the names of the blocks that hold its text. */
function isNamedArticle(elected: Block, root: Block, { prose, totalProse }: BlockWeights): boolean {
  if (valueAt(prose, root.index) < totalProse * MIN_SHARE_UNDECLARED) return false;
  for (let block: Block | null = elected; block !== null; block = block.parent) {
    if (block.hint === 'body') return true;
    if (block === root) return false;
  }
  return false;
}

function allOf(excluded: ReadonlySet<Element>, blocks: readonly Block[]): ReadonlySet<Element> {
  return new Set([...excluded, ...blocks.map(({ element }) => element)]);
}
