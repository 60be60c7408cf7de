import type { Document, Element } from 'domhandler';
import { surveyWhole } from '../facts/survey-whole.js';
import type { JsonLd } from '../json-ld/read-json-ld.js';
import type { ReadablePage } from '../readable-page.js';
import { climb, electRoot } from './article-root.js';
import { isInsideBlock, readBlocks, isLeaf, type Block, type BlockTree } from './block-tree.js';
import { FurnitureFinder } from './furniture.js';
import { leadsOf } from './leads.js';
import { pageKindOf, type MainContentKind } from './page-kind.js';
import { clutterOf, flagsOf } from './site-clutter.js';
import { chooseByScore } from './scorer/choose-units.js';
import { pageNumbers } from './scorer/page-numbers.js';
import { featuresOf, type Ruled } from './scorer/unit-features.js';
import { rootsOfPage } from './page-roots.js';
import { repeatsOf } from './repeats.js';
import { PageTitles } from './page-titles.js';
import { statedArticle, type StatedArticle } from './stated-article.js';
import { beyondText, findStructuredText, innermost, sumUp } from './structured-text.js';
import { valueAt, weigh, type BlockWeights } from './weights.js';
import { writersOf } from './writers.js';

/** Elements that hold the main content, and those in them that are left out. */
export interface MainContent {
  /** In document order, none inside another; a main heading that is elsewhere comes first. */
  readonly roots: readonly (Document | Element)[];
  readonly dropped: ReadonlySet<Element>;
  /** By left-out element: the name in it of who wrote the post beside it, which is kept. */
  readonly names: ReadonlyMap<Element, Element>;
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

/** Without a name that says so, a block with this share of all running text is an article. */
const MIN_SHARE_UNNAMED = 0.85;
/** And this much of it: what is left out of a short manual or product as furniture is much of it. */
const MIN_PROSE_UNNAMED = 1_000;

/**
 * The main content of a page. Of an article: the block that holds its text, by the votes of its
 * paragraphs and by names, without captions, bylines and links to other articles. Of other pages:
 * the main landmark, else the articles, else the block that holds nearly all text, without
 * navigation, banners, asides and their like. The only main heading of a page comes first where it
 * is elsewhere. Never nothing when the page has text that is not excluded.
 *
 * @param excluded left out whatever it is
 */
export function findMainContent(
  document: Document,
  excluded: ReadonlySet<Element>,
  jsonLd: JsonLd,
): MainContent {
  const found = findByRules(document, excluded, jsonLd);
  const content = scored(found, jsonLd) ?? found;
  const roots = withIngredients(found.page, content.roots);
  const { blocks } = found.page.tree;
  const title = missingTitle(found.page.tree, { roots, dropped: content.dropped });
  const dropped = content.dropped.filter((block) => block !== title);
  const elements: (Document | Element)[] = roots.map(({ element }) => element);
  const isElsewhere = title !== null && !isInPlace(title, { roots, dropped });
  const isKept = keptOf(blocks, roots, dropped);
  const { names, counts } = writersOf(blocks, dropped, { isKept, excluded });
  const repeats = repeatsOf(blocks, isKept);
  return {
    roots: [
      ...(isElsewhere ? [title.element] : []),
      ...(elements.length === 0 ? [document] : elements),
    ],
    dropped: allOf(excluded, [...dropped, ...counts, ...repeats]),
    names,
  };
}

/** The only main heading of a page, if its content is without it; not the name of the site. */
function missingTitle(
  { blocks, metas }: BlockTree,
  content: Pick<RuledContent, 'roots' | 'dropped'>,
): Block | null {
  const [title, ...others] = blocks.filter(({ name, ink }) => name === 'h1' && ink > 0);
  if (title === undefined || others.length > 0 || isInPlace(title, content)) return null;
  const site = metas.find(({ attribs }) => attribs.property?.toLowerCase() === 'og:site_name');
  return site?.attribs.content?.trim().toLowerCase() === title.text.trim().toLowerCase()
    ? null
    : title;
}

/** Whether a block is a part of what is kept. */
function isInPlace(
  block: Block,
  { roots, dropped }: Pick<RuledContent, 'roots' | 'dropped'>,
): boolean {
  const isIn = (around: Block): boolean => isInsideBlock(block, around);
  return (roots.length === 0 || roots.some(isIn)) && !dropped.some(isIn);
}

function keptOf(
  blocks: readonly Block[],
  roots: readonly Block[],
  dropped: readonly Block[],
): Uint8Array {
  const isKept =
    roots.length === 0 ? new Uint8Array(blocks.length).fill(1) : flagsOf(blocks, roots);
  for (const { index, end } of dropped) isKept.fill(0, index, end);
  return isKept;
}

function withIngredients({ tree, stated, isOut }: Page, roots: readonly Block[]): readonly Block[] {
  const list = ingredientsBeside(tree, stated, roots, isOut);
  return list === null ? roots : [...roots, list].sort((a, b) => a.index - b.index);
}

/** What the rules find. */
interface RuledContent {
  readonly page: Page;
  /** Empty: all of the page. */
  readonly roots: readonly Block[];
  readonly dropped: readonly Block[];
  readonly isArticle: boolean;
}

function findByRules(
  document: Document,
  excluded: ReadonlySet<Element>,
  jsonLd: JsonLd,
): RuledContent {
  const tree = readBlocks(document, excluded);
  const stated = statedArticle(jsonLd);
  const kind = pageKindOf(tree, stated);
  const clutter = clutterOf(tree.blocks, kind !== 'forum');
  const isOut = flagsOf(tree.blocks, clutter);
  const page = { tree, stated, kind, isOut, weights: weigh(tree.blocks, isOut) };
  const article = kind === 'forum' ? null : findArticle(page);
  if (article !== null) {
    const dropped = [...clutter, ...article.furniture];
    return { page, roots: [...article.leads, article.root], dropped, isArticle: true };
  }
  if (isMostlyClutter(page)) return { page, roots: [], dropped: [], isArticle: false };
  const { roots, dropped } = rootsOfPage(tree.blocks, page.weights, isOut);
  return { page, roots, dropped: [...clutter, ...dropped], isArticle: false };
}

/** Pages that say that they are articles keep to the rules: what belongs to an article is settled. */
function scored(
  found: RuledContent,
  jsonLd: JsonLd,
): Pick<RuledContent, 'roots' | 'dropped'> | null {
  if (found.isArticle && found.page.kind === 'article') return null;
  const content = chooseByScore(ruledOf(found, jsonLd));
  return content === null ? null : { roots: [content.root], dropped: content.dropped };
}

/** A text of a page, and whether the rules keep it. */
export interface ContentText {
  readonly text: string;
  readonly isKept: boolean;
}

/** The texts of a page and the numbers of each that the scorer compares: what it is trained with. */
export function mainContentTexts({ parsed, jsonLd }: ReadablePage): {
  readonly units: readonly ContentText[];
  readonly rows: Float32Array;
} {
  surveyWhole(parsed);
  const ruled = ruledOf(findByRules(parsed.document, new Set(), jsonLd), jsonLd);
  const { units, rows } = featuresOf(ruled);
  return {
    rows,
    units: units.map(({ text, index }) => ({ text, isKept: ruled.isKept[index] === 1 })),
  };
}

function ruledOf({ page, roots, dropped, isArticle }: RuledContent, jsonLd: JsonLd): Ruled {
  const { blocks } = page.tree;
  return {
    blocks,
    weights: page.weights,
    isClutter: page.isOut,
    isKept: keptOf(blocks, roots, dropped),
    isArticleFound: isArticle,
    page: pageNumbers(page, jsonLd),
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
  readonly root: Block;
  /** Its first lines, where they are outside of it. */
  readonly leads: readonly Block[];
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
  if (kind !== 'article' && !isNamedArticle(elected, root, weights) && !isNearlyAll(root, weights))
    return null;
  const titles = new PageTitles(tree, stated);
  const furniture = new FurnitureFinder(tree.blocks, root, weights, titles, isOut).find();
  const beyond = given === null ? [] : beyondText(given, root, tree, weights);
  const leads = leadsOf(tree.blocks, root, isOut, titles);
  return { root, leads, furniture: [...furniture, ...beyond] };
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

/** Or by what it holds of all running text. */
const isNearlyAll = ({ index }: Block, { prose, totalProse }: BlockWeights): boolean =>
  valueAt(prose, index) >= Math.max(MIN_PROSE_UNNAMED, totalProse * MIN_SHARE_UNNAMED);

function allOf(excluded: ReadonlySet<Element>, blocks: readonly Block[]): ReadonlySet<Element> {
  return new Set([...excluded, ...blocks.map(({ element }) => element)]);
}

/** Fewer words of ingredients are no list worth a look. */
const MIN_WORDS = 6;
/** Words of a cell or a line of a list of ingredients. */
const MAX_LINE_WORDS = 16;
/** The list is on the page when it has this share of the words of the ingredients. */
const MIN_SHARE_OF_INGREDIENTS = 0.6;
/** The block that holds it holds nearly all that was found, and little else. */
const MIN_SHARE_OF_FOUND = 0.9;
const MAX_TIMES_FOUND = 2.5;

/**
 * The ingredients of a recipe beside the text that tells how it is made: recipes have both, often in different parts of the
 * page. By the words that JSON-LD states of them.
 */
function ingredientsBeside(
  { blocks }: BlockTree,
  { ingredients }: StatedArticle,
  roots: readonly Block[],
  isOut: Uint8Array,
): Block | null {
  const words = ingredients.flatMap(wordsOf);
  const known = new Set(words);
  if (words.length < MIN_WORDS || roots.length === 0) return null;
  const isKept = flagsOf(blocks, roots);
  const found = new Float64Array(blocks.length);
  const all = new Float64Array(blocks.length);
  for (const block of blocks) {
    if (block.ownInk === 0 || isOut[block.index] === 1 || !isLeaf(block)) continue;
    const line = wordsOf(block.text.slice(0, MAX_LINE_CHARS));
    all[block.index] = line.length;
    const isIngredient = line.length <= MAX_LINE_WORDS && line.every((word) => known.has(word));
    if (isIngredient && isKept[block.index] !== 1) found[block.index] = line.length;
  }
  const total = sumUp(blocks, found);
  sumUp(blocks, all);
  if (total < words.length * MIN_SHARE_OF_INGREDIENTS) return null;
  const list = innermost(blocks, found, total * MIN_SHARE_OF_FOUND);
  const isWhole = list !== null && roots.every((root) => !isInsideBlock(root, list));
  return isWhole && (all[list.index] ?? 0) <= total * MAX_TIMES_FOUND ? list : null;
}

const MAX_LINE_CHARS = 300;

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{L}+|[\p{N}½¼¾⅓⅔]+/gu) ?? [];
