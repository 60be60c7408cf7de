import { type Element } from 'domhandler';

/** The subject of a page is in one of these, or under it. */
const LANDMARKS = new Set(['h1', 'main', 'article']);

/** Elements around a landmark, by the tree they are in: entries go when their page goes. */
const around = new WeakSet<Element>();

/**
 * Remembers what is around a landmark that is about to be opened. It stops at the first element
 * that is known, as all above it are too, so a page costs no more than its elements.
 */
export function noteLandmark(name: string, open: readonly Element[]): void {
  if (!LANDMARKS.has(name)) return;
  for (let index = open.length - 1; index >= 0; index--) {
    const element = open[index];
    if (element === undefined || around.has(element)) return;
    around.add(element);
  }
}

/** Whether a main heading, main part or article is inside an element. */
export const holdsLandmark = (element: Element): boolean => around.has(element);
