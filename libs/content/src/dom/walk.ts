import { isTag, isText, type ChildNode, type Document, type Element, type Text } from 'domhandler';

/** What a walk does at each node; `enter` answers whether to go inside. */
export interface Visitor {
  text(data: string, node: Text): void;
  enter(element: Element): boolean;
  leave?(element: Element): void;
  /** Asked after each node: true ends the walk. */
  isDone?(): boolean;
}

/**
 * Visits a tree in document order by its links alone: no recursion, no stack, whatever the depth.
 * `leave` follows every `enter` that answered true.
 */
export function walk(root: Document | Element, visitor: Visitor): void {
  // Looked up once: there are many kinds of visitors, and a look-up per node costs more than the step.
  const { text, enter, leave, isDone } = visitor;
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null && !(isDone !== undefined && isDone.call(visitor))) {
    if (isTag(node)) {
      if (enter.call(visitor, node)) {
        const first: ChildNode | undefined = node.children[0];
        if (first !== undefined) {
          node = first;
          continue;
        }
        if (leave !== undefined) leave.call(visitor, node);
      }
    } else if (isText(node)) {
      text.call(visitor, node.data, node);
    }
    node = following(node, root, visitor, leave);
  }
}

function following(
  from: ChildNode,
  root: Document | Element,
  visitor: Visitor,
  leave: Visitor['leave'],
): ChildNode | null {
  let node: ChildNode = from;
  while (node.next === null) {
    const { parent } = node;
    if (parent === null || parent === root || !isTag(parent)) return null;
    if (leave !== undefined) leave.call(visitor, parent);
    node = parent;
  }
  return node.next;
}

/** All text below a node, as it is in the source; at most `maxChars`. */
export function textOf(root: Element, maxChars = Infinity): string {
  let text = '';
  walk(root, {
    text: (data) => void (text += data),
    enter: (element) => element.name !== 'script' && element.name !== 'style',
    isDone: () => text.length >= maxChars,
  });
  return text.length > maxChars ? text.slice(0, maxChars) : text;
}

/** White space that is not one plain space. */
const UNTIDY = /[^\S ]| {2}/;

/** White space runs to one space. */
export const collapseInside = (text: string): string =>
  UNTIDY.test(text) ? text.replace(/\s+/g, ' ') : text;

/** {@link collapseInside}, and none at the ends. */
export const collapse = (text: string): string => collapseInside(text).trim();
