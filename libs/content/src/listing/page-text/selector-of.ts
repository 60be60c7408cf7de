import { type Element, isTag } from 'domhandler';

/** Steps of a selector; an element deeper than that is named from the nearest ones up. */
const MAX_STEPS = 8;
/** Siblings counted for `:nth-of-type`. */
const MAX_SIBLINGS = 1_000;
const PLAIN_NAME = /^[A-Za-z][\w-]{0,60}$/;

/** A CSS selector of an element: from the nearest id, `#visit > p:nth-of-type(2)`. */
export function selectorOf(element: Element): string {
  const steps: string[] = [];
  let current: Element | null = element;
  while (current !== null && steps.length < MAX_STEPS) {
    const { id } = current.attribs;
    if (id !== undefined && PLAIN_NAME.test(id)) {
      steps.unshift(`#${id}`);
      break;
    }
    steps.unshift(stepOf(current));
    current = current.parent !== null && isTag(current.parent) ? current.parent : null;
  }
  return steps.join(' > ');
}

function stepOf(element: Element): string {
  const { name } = element;
  if (name === 'html' || name === 'body' || name === 'head') return name;
  let position = 1;
  let sibling = element.prev;
  for (let seen = 0; sibling !== null && seen < MAX_SIBLINGS; seen++) {
    if (isTag(sibling) && sibling.name === name) position++;
    sibling = sibling.prev;
  }
  return position === 1 ? name : `${name}:nth-of-type(${position})`;
}
