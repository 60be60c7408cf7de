import { type Element } from 'domhandler';

/** Hidden elements that hold the page's text until scripts run; entries go when their page goes. */
const shown = new WeakSet<Element>();

/** Where React streams parts of a page to, before a script moves them to their place. */
const STREAMED_PART = /^S:[\da-f]{1,8}$/;

export function showLate(element: Element): void {
  shown.add(element);
}

/** Whether what hides an element is a script that has not run yet. */
export const isShownLate = (element: Element): boolean =>
  STREAMED_PART.test(element.attribs.id ?? '') || shown.has(element);
