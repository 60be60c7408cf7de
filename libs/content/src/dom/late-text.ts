import { type Document, type Element, isTag } from 'domhandler';
import { isOverlay } from './page-behind.js';
import { showLate, countInk, isHidden } from './visibility.js';
import { walk } from './walk.js';

/** Text that a hidden element holds for each character that a reader sees: then it is the page. */
const MIN_TIMES_VISIBLE = 3;
const MIN_HIDDEN_INK = 1_000;
/** A page that shows less, such as "Loading", shows nothing. */
const MAX_BLANK_INK = 200;
/** Less is a request to switch scripts on. */
const MIN_NOSCRIPT_INK = 400;

/** Text of a page that no reader sees, by what it may be hidden in. */
export interface HiddenText {
  readonly visibleChars: number;
  readonly hiddenChars: number;
}

/** What decides whether a page is for readers without scripts. */
export interface NoscriptText {
  readonly visibleChars: number;
  readonly hasArticleNoscript: boolean;
}

/**
 * Pages that are hidden until their script has run (`opacity:0` around all of it, `display:none` on the application):
 * what holds most of their text is seen from now on. Overlays stay hidden, whatever they hold.
 * @returns whether anything is seen that was not
 */
export function showHiddenPage(
  document: Document,
  { visibleChars, hiddenChars }: HiddenText,
): boolean {
  const least = Math.max(MIN_HIDDEN_INK, visibleChars * MIN_TIMES_VISIBLE);
  if (hiddenChars < least) return false;
  return showHolders(document, (element) => isHidden(element) && !isOverlay(element), least);
}

/** The text of an article that only readers without scripts get. */
export const isArticleNoscript = ({ name, parent }: Element): boolean =>
  name === 'noscript' &&
  parent !== null &&
  isTag(parent) &&
  parent.attribs.itemprop?.includes('articleBody') === true;

/** Shows what a page without visible text, or an article in it, has for readers without scripts. */
export function showNoscript(
  document: Document,
  { visibleChars, hasArticleNoscript }: NoscriptText,
): boolean {
  if (visibleChars > MAX_BLANK_INK)
    return hasArticleNoscript && showHolders(document, isArticleNoscript, MIN_NOSCRIPT_INK);
  const least = Math.max(MIN_NOSCRIPT_INK, visibleChars * MIN_TIMES_VISIBLE);
  return showHolders(document, ({ name }) => name === 'noscript', least);
}

const TEXTLESS = new Set(['script', 'style', 'template', 'svg', 'head', 'title']);

/** Shows the outermost elements of a kind that hold so much text; one walk. */
function showHolders(
  document: Document,
  isHolder: (element: Element) => boolean,
  least: number,
): boolean {
  let holder: Element | null = null;
  let ink = 0;
  let isAnyShown = false;
  walk(document, {
    text: (data) => void (ink += holder === null ? 0 : countInk(data)),
    enter: (element) => {
      if (TEXTLESS.has(element.name)) return false;
      if (holder === null && isHolder(element)) [holder, ink] = [element, 0];
      return true;
    },
    leave: (element) => {
      if (holder !== element) return;
      holder = null;
      if (ink < least) return;
      showLate(element);
      isAnyShown = true;
    },
  });
  return isAnyShown;
}
