import { Element, isText, type ChildNode } from 'domhandler';
import { collapse, walk } from './walk.js';

/** Panels of tabs and answers of accordions: text that readers unfold, so none that is hidden. */
const PANELS = new Set(['tabpanel', 'region']);

const TITLE = /^(?:h[1-6]|dt|summary)$/;
/** What is filled in or leads away, and no answer. */
const CONTROL = /^(?:nav|form|input|select|textarea|button)$/;

/** Nodes before a panel, elements of its title and nodes of its text that are examined. */
const MAX_BACK = 4;
const MAX_TITLE_ELEMENTS = 8;
const MAX_NODES = 60;
/** Characters outside links of a text with a sentence, as an answer has it and a menu has not. */
const MIN_ANSWER_CHARS = 60;
const MAX_ANSWER_CHARS = 400;
const SENTENCE = /[.!?…](?:\s|$)|[。！？]/;

/**
 * Whether readers unfold a hidden element: by its role, or by the title right before it, a heading with a switch (ARIA
 * Authoring Practices, accordion and disclosure). After a switch without a heading it is one if it holds a sentence:
 * menus open the same way.
 */
export function isFoldedPanel(element: Element): boolean {
  const { role } = element.attribs;
  if (role !== undefined) return PANELS.has(role);
  const title = elementBefore(element);
  if (title !== null) return isUnfoldedBy(title, element);
  // Scripts that animate the height of a panel hide its only child as well.
  const { parent } = element;
  if (!(parent instanceof Element) || parent.attribs.role !== undefined) return false;
  const outer = elementBefore(parent);
  return outer !== null && isUnfoldedBy(outer, parent);
}

function elementBefore(element: Element): Element | null {
  let node: ChildNode | null = element.prev;
  for (let back = 0; node !== null && back < MAX_BACK; back++, node = node.prev) {
    if (node instanceof Element) return node;
    if (isText(node) && node.data.trim() !== '') return null;
  }
  return null;
}

function isUnfoldedBy(title: Element, panel: Element): boolean {
  let [isTitle, isSwitch, seen] = [false, false, 0];
  const look = ({ name, attribs }: Element): void => {
    isTitle ||= TITLE.test(name);
    isSwitch ||= name === 'summary' || attribs['aria-expanded'] !== undefined;
    isSwitch ||= attribs['aria-controls'] !== undefined;
  };
  look(title);
  walk(title, {
    text: () => undefined,
    enter: (element) => {
      look(element);
      return ++seen < MAX_TITLE_ELEMENTS;
    },
    isDone: () => seen >= MAX_TITLE_ELEMENTS || (isTitle && isSwitch),
  });
  return isSwitch && (isTitle || isAnswer(panel));
}

function isAnswer(panel: Element): boolean {
  let [text, seen, isControl] = ['', 0, false];
  walk(panel, {
    text: (data) => {
      seen++;
      if (text.length < MAX_ANSWER_CHARS) text += data.slice(0, MAX_ANSWER_CHARS);
    },
    enter: ({ name }) => {
      seen++;
      isControl ||= CONTROL.test(name);
      return name !== 'a' && name !== 'style' && name !== 'script';
    },
    isDone: () => isControl || seen >= MAX_NODES,
  });
  const words = collapse(text);
  return !isControl && words.length >= MIN_ANSWER_CHARS && SENTENCE.test(words);
}
