import type { Document, Element } from 'domhandler';
import { isConcealed, isFoldedStyle } from './concealing-style.js';
import { isFoldedPanel } from './folded-panel.js';
import { isPageBehind } from './page-behind.js';
import { walk } from './walk.js';

/** Elements whose content no reader sees, or sees only as a control. */
const UNSEEN = new Set(
  'script style noscript template svg head title meta link base canvas datalist select option optgroup input textarea progress meter area object embed applet param source track noframes noembed rp'.split(
    ' ',
  ),
);

/** Left out of Markdown and of the count of visible characters, with all it holds. */
export function isUnseen(element: Element): boolean {
  if (UNSEEN.has(element.name)) return element.name !== 'noscript' || !isShownLate(element);
  return isHidden(element) || isMereControl(element);
}

/**
 * Text that is there and that no reader sees: by attribute (`hidden`, `aria-hidden`, a closed
 * dialog) or by its own style. Text hidden only by a style sheet is not detected.
 */
export function isHidden(element: Element): boolean {
  return isMarkedHidden(element) && !isShownLate(element);
}

function isMarkedHidden(element: Element): boolean {
  const { hidden, style, open, 'aria-hidden': ariaHidden } = element.attribs;
  // Hidden until it is looked for is folded away, like a closed `<details>`.
  const isHiddenNow = hidden !== undefined && hidden.toLowerCase() !== 'until-found';
  if (isHiddenNow && !isFoldedPanel(element)) return true;
  if (ariaHidden === 'true' && !isFoldedPanel(element) && !isPageBehind(element)) return true;
  if (style !== undefined && isConcealed(element, style))
    return !isFoldedStyle(style) || !isFoldedPanel(element);
  return element.name === 'dialog' && open === undefined;
}

/** Elements that hold no text of the page, hidden or not. */
const TEXTLESS = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'title']);

/**
 * Characters, white space apart, of text that is hidden from readers ({@link isHidden}); one walk.
 * A walk that is made anyway counts the same by adding the ink below elements that are hidden.
 */
export function countHiddenInk(root: Document | Element): number {
  let chars = 0;
  let hiddenBy: Element | null = null;
  walk(root, {
    text: (data) => void (chars += hiddenBy === null ? 0 : countInk(data)),
    enter: (element) => {
      if (TEXTLESS.has(element.name)) return false;
      if (hiddenBy === null && isHidden(element)) hiddenBy = element;
      return true;
    },
    leave: (element) => {
      if (hiddenBy === element) hiddenBy = null;
    },
  });
  return chars;
}

/**
 * A button is a control ("Accept", "Copy") unless it carries the title of what it unfolds: one
 * inside a heading, as accordions have it, or one that says so by ARIA.
 */
function isMereControl({ name, attribs, parent }: Element): boolean {
  if (name !== 'button') return false;
  if (attribs['aria-expanded'] !== undefined || attribs['aria-controls'] !== undefined)
    return false;
  return !(parent !== null && 'name' in parent && /^(?:h[1-6]|summary|dt)$/.test(parent.name));
}

/**
 * UTF-16 units that are not white space. By sign bits: a branch per space would be guessed wrong
 * once in every word, which costs more than all the rest.
 */
export function countInk(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    count += ((32 - code) >>> 31) - (((code ^ 0xa0) - 1) >>> 31);
  }
  return count;
}

/** Hidden elements that hold the page's text until scripts run; entries go when their page goes. */
const shown = new WeakSet<Element>();

/** Where React streams parts of a page to, before a script moves them to their place. */
const STREAMED_PART = /^S:[\da-f]{1,8}$/;

export function showLate(element: Element): void {
  shown.add(element);
}

/** Whether what hides an element is a script that has not run yet. */
const isShownLate = (element: Element): boolean =>
  STREAMED_PART.test(element.attribs.id ?? '') || shown.has(element);
