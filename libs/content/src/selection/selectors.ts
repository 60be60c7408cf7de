import { compile } from 'css-select';
import { isTag, type AnyNode, type Document, type Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { textOf } from '../dom/walk.js';
import { MAX_SELECTOR_CHARS, MAX_SELECTOR_STEPS, MAX_SELECTORS } from '../limits.js';

type Adapter = NonNullable<NonNullable<Parameters<typeof compile<AnyNode, Element>>[1]>['adapter']>;

/** The work of all selectors on one page together went past {@link MAX_SELECTOR_STEPS}. */
export class SelectorWorkError extends Error {
  override readonly name = 'SelectorWorkError';
}

/**
 * Why a text is no CSS selector that pages can be cut by, in words for its author; null when it is
 * one. What passes here compiles: ask before a page is fetched.
 */
export function selectorProblem(text: string): string | null {
  if (text.trim() === '') return 'is empty';
  if (text.length > MAX_SELECTOR_CHARS) return `is longer than ${MAX_SELECTOR_CHARS} characters`;
  if ((text.match(/:has\s*\(/gi)?.length ?? 0) > 1) return 'has more than one :has()';
  // css-select reads "p >" as if it ended before the combinator.
  if (/[>+~]\s*(?:,|$)/.test(text.replace(/"[^"]*"|'[^']*'/g, ''))) return 'ends in a combinator';
  try {
    compileSelector(text, new StepCounter());
    return null;
  } catch (error) {
    return error instanceof Error ? tidyMessage(error.message) : 'cannot be read';
  }
}

const tidyMessage = (message: string): string =>
  `is not a CSS selector we can use: ${message.replace(/\s+/g, ' ').slice(0, MAX_SELECTOR_CHARS)}`;

/** Whether an element matches any of the selectors. Throws {@link SelectorWorkError}. */
export type Match = (element: Element) => boolean;

/**
 * Selectors as one question. They were checked by {@link selectorProblem} before; those that
 * cannot be read match nothing here, so that a page never fails by them.
 */
export function matchAny(texts: readonly string[], steps: StepCounter): Match {
  const matches = texts.slice(0, MAX_SELECTORS).flatMap((text) => {
    return selectorProblem(text) === null ? [compileSelector(text, steps)] : [];
  });
  return (element) => matches.some((match) => match(element));
}

function compileSelector(text: string, steps: StepCounter): Match {
  const adapter = countingAdapter(steps);
  return compile<AnyNode, Element>(text, { adapter }) as Match;
}

/**
 * Bounds the work of selectors: `a ~ b`, `:nth-child()` and `:has()` are quadratic on some pages.
 */
export class StepCounter {
  private steps = 0;

  constructor(private readonly maxSteps = MAX_SELECTOR_STEPS) {}

  add(steps: number): void {
    this.steps += steps;
    if (this.steps > this.maxSteps) throw new SelectorWorkError('Selectors took too many steps');
  }
}

/** How css-select sees our tree; every look costs a step, a list of siblings one for each. */
function countingAdapter(steps: StepCounter): Adapter {
  return {
    isTag: (node): node is Element => {
      steps.add(1);
      return isTag(node);
    },
    equals: (one, other) => {
      steps.add(1);
      return one === other;
    },
    getParent: (node) => {
      steps.add(1);
      return node.parent;
    },
    getSiblings: (node) => siblingsOf(node),
    getChildren: (node) => {
      const children = 'children' in node ? node.children : [];
      // css-select copies the list for each element it searches below.
      steps.add(LIST_STEPS + children.length);
      return children;
    },
    prevElementSibling: (element) => {
      steps.add(1);
      let previous = element.prev;
      while (previous !== null && !isTag(previous)) {
        steps.add(1);
        previous = previous.prev;
      }
      return previous;
    },
    getName: ({ name }) => {
      steps.add(1);
      return name;
    },
    getAttributeValue: ({ attribs }, name) => {
      const value = attribs?.[name];
      steps.add(1 + ((value?.length ?? 0) >> 6));
      return value;
    },
    hasAttrib: ({ attribs }, name) => {
      steps.add(1);
      return attribs !== undefined && Object.hasOwn(attribs, name);
    },
    getText: (node) => {
      const text = 'children' in node ? textOf(node as Element, MAX_CONTAINED_CHARS) : '';
      steps.add(1 + (text.length >> 2));
      return text;
    },
    removeSubsets: (nodes) => DomUtils.removeSubsets(nodes),
  };
}

/** What making a list costs, beside its length. */
const LIST_STEPS = 16;

/** Text that `:contains()` looks through, from the start of an element. */
const MAX_CONTAINED_CHARS = 100_000;

/** `:root` elements have siblings too: the document's other children. */
function siblingsOf(node: AnyNode): AnyNode[] {
  const parent: Document | Element | AnyNode | null = node.parent;
  return parent !== null && 'children' in parent ? parent.children : [node];
}
