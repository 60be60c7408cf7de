import { Element, type Text } from 'domhandler';
import { isUnseen } from '../dom/visibility.js';
import { collapse, walk } from '../dom/walk.js';
import { type Block, isLeaf } from './block-tree.js';
import { markOf } from './scorer/page-units.js';
import { isHeading, proseOf } from './weights.js';

/** What readers need to follow who says what, and what says nothing. */
export interface Writers {
  /** In what is left out beside a post, the name of who wrote it; by the element that is left out. */
  readonly names: ReadonlyMap<Element, Element>;
  /** Votes and counts of posts. */
  readonly counts: readonly Block[];
}

export interface KeptOfPage {
  /** One for each block whose own text is kept. */
  readonly isKept: Uint8Array;
  /** Left out whatever it is. */
  readonly excluded: ReadonlySet<Element>;
}

/** Blocks that are left out and examined; nodes of each. */
const MAX_BLOCKS = 3_000;
const MAX_NODES = 120;
/** Of a text, white space around it included. */
const MAX_TEXT_CHARS = 1_000;
/** A longer name is a sentence. */
const MAX_NAME_CHARS = 40;
/** Posts of a conversation. */
const MIN_POSTS = 2;
/** Texts after a name that may repeat it. */
const MAX_TEXTS = 4;

const NAME_MARK =
  /(?:^|[\s_-])(?:author(?:name)?|user-?name|user-?link|nick(?:name)?|poster(?:name)?|creator|by-?line-?name|message-name|profile-?link)(?:$|[\s_-])/i;
/** Addresses of people's pages; not of what shares a page ("sharer?u="). */
const PROFILE =
  /\/(?:u|users?|members?|profiles?|people|authors?)[/.?-]|\/memberlist\.php\?|[?&](?:user|member|author)(?:_?id)?=/i;
const NAME = /^[^\n.,:;!?()[\]{}<>|#*]{2,40}$/u;
const NO_NAME =
  /^(?:see|all|more|about|visit|guest|author|member|profile|user|reply|quote|share|report|posts?|follow|message|send|contact|view|online|offline|new|\d+)\b/i;

/**
 * The writers of a conversation: a forum, comments or reviews, whose posts are kept. Found by the
 * left-out blocks that have an author's name in the same markup, each next to text that is kept.
 */
export function writersOf(
  blocks: readonly Block[],
  dropped: readonly Block[],
  { isKept, excluded }: KeptOfPage,
): Writers {
  const posts = postsOf(namedOf(dropped, excluded), blocks, isKept);
  if (posts.length < MIN_POSTS) return { names: new Map(), counts: [] };
  return {
    names: new Map(posts.map(({ block, name }) => [block.element, name])),
    counts: blocks.filter((block) => isKept[block.index] === 1 && isCount(block)),
  };
}

interface Named {
  readonly block: Block;
  readonly name: Element;
  readonly text: string;
}

/** By kind of name, in document order. */
function namedOf(
  dropped: readonly Block[],
  excluded: ReadonlySet<Element>,
): Iterable<readonly Named[]> {
  const kinds = new Map<string, Named[]>();
  for (const block of dropped.slice(0, MAX_BLOCKS)) {
    const found = nameIn(block.element, excluded);
    const name = found?.parent ?? null;
    if (found === null || !(name instanceof Element)) continue;
    const kind = `${markOf(name)}<${name.parent instanceof Element ? markOf(name.parent) : ''}`;
    const named = { block, name, text: wordsOf(found) };
    const alike = kinds.get(kind);
    if (alike === undefined) kinds.set(kind, [named]);
    else alike.push(named);
  }
  return kinds.values();
}

/** Of the kind with the most texts after it, those that have one. */
function postsOf(
  kinds: Iterable<readonly Named[]>,
  blocks: readonly Block[],
  isKept: Uint8Array,
): readonly Named[] {
  let best: readonly Named[] = [];
  for (const named of kinds) {
    const inOrder = named.toSorted((one, other) => one.block.index - other.block.index);
    const posts: Named[] = [];
    let isAfterText = false;
    inOrder.forEach((post, at) => {
      const end = inOrder[at + 1]?.block.index ?? blocks.length;
      const next = textAfter(post, blocks.slice(post.block.end, end), isKept);
      // Some forums name the writer below the post.
      if (next === 'text' || (next === 'none' && isAfterText)) posts.push(post);
      isAfterText = next === 'text';
    });
    if (posts.length > best.length) best = posts;
  }
  return best;
}

/** Whether a text is kept after a name, or one that has the name already. */
function textAfter(
  { text }: Named,
  after: readonly Block[],
  isKept: Uint8Array,
): 'text' | 'name' | 'none' {
  let texts = 0;
  for (const next of after) {
    if (isKept[next.index] !== 1 || next.ownInk === 0) continue;
    if (proseOf(next) > 0) return 'text';
    if (collapse(next.text.slice(0, 4 * MAX_NAME_CHARS)).includes(text)) return 'name';
    if (++texts === MAX_TEXTS) break;
  }
  return 'none';
}

/** The first short text that is marked as the name of an author, or that links to a profile. */
function nameIn(root: Element, excluded: ReadonlySet<Element>): Text | null {
  let [seen, found]: [number, Text | null] = [0, null];
  const look = (element: Element): boolean => {
    if (++seen > MAX_NODES || found !== null || excluded.has(element)) return false;
    // Class and link first, visibility last: few elements are marked, and most of those are visible.
    const text = isMarked(element) ? onlyTextOf(element) : null;
    if (text !== null && isName(wordsOf(text)) && isSeenIn(element, root)) found = text;
    return found === null;
  };
  const isDone = (): boolean => found !== null || seen > MAX_NODES;
  if (look(root)) walk(root, { text: () => undefined, enter: look, isDone });
  return found;
}

function isSeenIn(element: Element, root: Element): boolean {
  for (let outer = element; !isUnseen(outer); outer = outer.parent) {
    if (outer === root || !(outer.parent instanceof Element)) return true;
  }
  return false;
}

function isMarked({ name, attribs }: Element): boolean {
  if (attribs.itemprop === 'author' || attribs.rel === 'author') return true;
  if (name === 'a' && PROFILE.test((attribs.href ?? '').slice(0, 500))) return true;
  return attribs.class !== undefined && NAME_MARK.test(attribs.class.slice(0, 200));
}

/** The text of an element that has a single piece of it; null: it is a card with several, or empty. */
function onlyTextOf(element: Element): Text | null {
  const pieces: Text[] = [];
  let nodes = 0;
  const isDone = (): boolean => pieces.length > 1 || nodes > MAX_NODES;
  walk(element, {
    text: (data, node) => {
      nodes++;
      if (data.trim() !== '') pieces.push(node);
    },
    enter: (inner) => ++nodes <= MAX_NODES && !isUnseen(inner),
    isDone,
  });
  return pieces.length === 1 && !isDone() ? (pieces[0] ?? null) : null;
}

const wordsOf = ({ data }: Text): string => collapse(data.slice(0, MAX_TEXT_CHARS));

const isName = (text: string): boolean =>
  text.length <= MAX_NAME_CHARS && NAME.test(text) && !NO_NAME.test(text) && /\p{L}/u.test(text);

/** "12", "+3", "1.4k" by itself, where no row of data has it. */
function isCount(block: Block): boolean {
  if (!isLeaf(block) || block.ownInk > 6 || isHeading(block.name)) return false;
  if (/^(?:td|th|li|dd|dt|pre|code)$/.test(block.name)) return false;
  return /^[-+]?\d{1,5}(?:[.,]\d)?k?$/i.test(block.text.trim());
}
