import { type Document, type Element } from 'domhandler';
import { walk } from '../dom/walk.js';
import { type Block, Survey } from './survey.js';

/** Elements that hold the main content, and those in them that are left out. */
export interface MainContent {
  /** In document order, none inside another. */
  readonly roots: readonly (Document | Element)[];
  readonly dropped: ReadonlySet<Element>;
}

/** A main part with less of the text outside clutter is a teaser or a mistake. */
const MIN_SHARE_OF_TEXT = 0.25;
/** Articles are the page when they hold this share of it; else it is a page with some articles on it. */
const MIN_SHARE_OF_ARTICLES = 0.5;
/** With less of all text outside clutter, clutter was taken for what is not. */
const MIN_SHARE_OF_BODY = 0.05;
/** Blocks with less text decide nothing. */
const MIN_CANDIDATE_CHARS = 140;

/**
 * The main content of a page: its landmark when it has one that holds the text, else the block that
 * gathers most text outside links, without navigation, banners, asides and their like. Falls back to
 * the whole page without its clutter, and to all of it rather than to nothing.
 *
 * @param excluded left out whatever it is
 */
export function findMainContent(document: Document, excluded: ReadonlySet<Element>): MainContent {
  const { blocks, clutter, keptChars, allChars } = surveyOf(document, excluded);
  if (keptChars === 0 || keptChars < allChars * MIN_SHARE_OF_BODY) {
    return { roots: [document], dropped: excluded };
  }
  const dropped = new Set([...excluded, ...clutter.map(({ element }) => element)]);
  const roots = rootsAmong(blocks, keptChars);
  return { roots: roots.length === 0 ? [document] : roots, dropped };
}

/**
 * A second look when one block with a cluttering name turns out to be the page: the menu of a
 * restaurant, the comments of a forum.
 */
function surveyOf(document: Document, excluded: ReadonlySet<Element>): Survey {
  const survey = new Survey(excluded, new Set());
  walk(document, survey);
  const { keptChars, allChars, clutter } = survey;
  const spared = clutter.filter(
    ({ chars, linkChars, isSure }) =>
      !isSure && chars > allChars * 0.6 && linkChars < chars / 2 && keptChars < allChars * 0.3,
  );
  if (spared.length === 0) return survey;
  const again = new Survey(excluded, new Set(spared.map(({ element }) => element)));
  walk(document, again);
  return again;
}

function rootsAmong(blocks: readonly Block[], keptChars: number): readonly Element[] {
  const landmarks = blocks.filter(({ hint, isInMain }) => hint === 'main' && !isInMain);
  if (holds(landmarks, keptChars * MIN_SHARE_OF_TEXT)) return elementsOf(landmarks);
  const articles = blocks.filter(
    ({ element, isInArticle }) => element.name === 'article' && !isInArticle,
  );
  if (holds(articles, keptChars * MIN_SHARE_OF_ARTICLES)) return elementsOf(articles);
  return elementsOf(bestBlock(blocks, keptChars));
}

const holds = (blocks: readonly Block[], leastChars: number): boolean =>
  blocks.reduce((sum, { chars }) => sum + chars, 0) >= Math.max(1, leastChars);

const elementsOf = (blocks: readonly Block[]): readonly Element[] =>
  blocks.map(({ element }) => element);

/** The block with most text, prose before labels, links before nothing; of equals the innermost. */
function bestBlock(blocks: readonly Block[], keptChars: number): readonly Block[] {
  let best: Block | undefined;
  let bestScore = 0;
  for (const block of blocks) {
    if (block.chars < MIN_CANDIDATE_CHARS || block.chars < keptChars * MIN_SHARE_OF_TEXT) continue;
    const score = scoreOf(block);
    if (score > bestScore) [best, bestScore] = [block, score];
  }
  return best === undefined ? [] : [best];
}

/** Blocks come inner ones first, so an outer one wins by what it has beside the inner one only. */
function scoreOf({ chars, linkChars, proseChars, hint }: Block): number {
  const text = proseChars + (chars - proseChars) / 2;
  return text * (1 - linkChars / chars) * (hint === 'content' ? 1.1 : 1);
}
