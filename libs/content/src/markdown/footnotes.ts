import { Element, isTag } from 'domhandler';
import { isUnseen } from '../dom/visibility.js';
import { collapse, textOf } from '../dom/walk.js';
import { type PagePart, walkPart } from '../selection/page-part.js';

/** What an element is to footnotes. */
export type FootnoteRole =
  | { readonly kind: 'reference'; readonly label: string }
  | { readonly kind: 'note'; readonly label: string }
  /** The way back to the text, or the note's own number: Markdown readers make both. */
  | { readonly kind: 'silent' };

const SILENT: FootnoteRole = { kind: 'silent' };

/** The mark of a footnote: a number, a letter or two, `*`, `note 1`, `1:2` (the second
 * to that note); brackets around it or not. */
const MARK =
  /^[[(]?\s*(?:\d{1,4}(?::\d{1,3})?|[a-z]{1,2}|[*†‡§¶#]{1,4}|(?:note|nb|n|fn|lower-alpha)[ .-]?\d{1,3})\s*[\])]?$/i;
const MAX_MARK_CHARS = 12;

/** Nothing but marks and arrows back, in a wrapper of such links. */
const BACK = /^[\s[\]().,:;^↑↩⤴⏎\ufe0e\ufe0f\d]*$/u;
const MAX_BACK_CHARS = 40;
const BACK_CLASS = /(?:^|\s)(?:mw-cite-backlink|backrefs|fn-bracket|fn-backref)(?:\s|$)/;

const REFERRING = /foot|note|cite|reference|brackets|fn/i;

/** Levels above a reference or a note's anchor that may be meant by a link to it. */
const LEVELS = 4;

/** Links back to one mark that are examined, and children of a wrapper of marks. */
const MAX_WAYS = 20;
const MAX_WRAPPED = 8;

/** Blocks a note can be. */
const NOTES = new Set(['li', 'dd', 'dt', 'aside', 'div', 'p']);

/** Whether an element may be a footnote's mark: worth gathering all of them. */
function looksReferring({ name, attribs, children, parent }: Element): boolean {
  // A raised link, before the link itself is reached.
  if (name === 'sup') return children.some((child) => isTag(child));
  if (name !== 'a' || attribs.href?.includes('#') !== true) return false;
  if (isHinted(attribs)) return true;
  return parent instanceof Element && (parent.name === 'sup' || parent.name === 'span');
}

const isHinted = ({ class: names, role, id }: Element['attribs']): boolean =>
  REFERRING.test(`${names ?? ''} ${role ?? ''} ${id ?? ''}`);

/** Labels of the footnotes of one text, each given once. */
export class FootnoteLabels {
  /** The number that was last tried behind each. */
  private readonly taken = new Map<string, number>();

  take(stem: string): string {
    let count = this.taken.get(stem) ?? 1;
    let label = stem;
    while (this.taken.has(label)) label = `${stem}-${++count}`;
    this.taken.set(label, 1).set(stem, count);
    return label;
  }
}

/** A part of a page, or one of several that make a text. */
export interface FootnotePart extends PagePart {
  /** @default of this part alone */
  readonly labels?: FootnoteLabels;
}

/**
 * Footnotes of a page as GitHub, pandoc, Sphinx and MediaWiki write them: a mark in the text that
 * links to a note, and a note that links back. Where either end is missing, links stay links.
 * Found by one walk, made when the first mark comes.
 */
export class Footnotes {
  private roles: Map<Element, FootnoteRole> | undefined;

  constructor(private readonly part: FootnotePart) {}

  roleOf(element: Element): FootnoteRole | undefined {
    if (this.roles !== undefined) return this.roles.get(element);
    if (!looksReferring(element)) return undefined;
    this.roles = new FootnoteFinder(this.part).find();
    return this.roles.get(element);
  }

  /** For elements on their way out: only what {@link roleOf} found before. */
  isNote(element: Element): boolean {
    return this.roles?.get(element)?.kind === 'note';
  }
}

interface Reference {
  readonly link: Element;
  /** The link with the raise and the brackets around it. */
  readonly whole: Element;
  readonly mark: string;
  readonly fragment: string;
}

class FootnoteFinder {
  private readonly byId = new Map<string, Element>();
  private readonly candidates: Reference[] = [];
  private readonly linksByFragment = new Map<string, Element[]>();
  private readonly roles = new Map<Element, FootnoteRole>();
  private readonly labels = new Map<Element, string>();
  private readonly taken: FootnoteLabels;
  /** Links that lead back: they look like marks of their own. */
  private readonly waysTaken = new Set<Element>();

  constructor(private readonly part: FootnotePart) {
    this.taken = part.labels ?? new FootnoteLabels();
  }

  find(): Map<Element, FootnoteRole> {
    walkPart(this.part, {
      text: () => undefined,
      enter: (element) => this.note(element),
    });
    for (const candidate of this.candidates) this.tie(candidate);
    return this.roles;
  }

  private note(element: Element): boolean {
    if (isUnseen(element)) return false;
    const { id, name: anchor } = element.attribs;
    for (const key of [id, anchor]) {
      if (key !== undefined && !this.byId.has(key)) this.byId.set(key, element);
    }
    if (element.name === 'a') this.noteLink(element);
    // GitHub's heading for screen readers would be a second one in the Markdown.
    if (id === 'footnote-label') this.roles.set(element, SILENT);
    return true;
  }

  private noteLink(link: Element): void {
    const { href } = link.attribs;
    const hash = href?.indexOf('#') ?? -1;
    if (href === undefined || hash === -1) return;
    const fragment = decoded(href.slice(hash + 1));
    const known = this.linksByFragment.get(fragment);
    if (known === undefined) this.linksByFragment.set(fragment, [link]);
    else known.push(link);
    const mark = collapse(textOf(link, MAX_MARK_CHARS + 1));
    if (mark === '' || mark.length > MAX_MARK_CHARS || !MARK.test(mark)) return;
    const whole = wholeMark(link);
    if (isRaised(whole) || isHinted(link.attribs) || mark.startsWith('[')) {
      this.candidates.push({ link, whole, mark, fragment });
    }
  }

  /** Makes a footnote of a mark whose target links back to it. */
  private tie(reference: Reference): void {
    const target = this.byId.get(reference.fragment);
    const note = target === undefined ? undefined : noteAround(target);
    if (note === undefined || holds(note, reference.link)) return;
    const ways = this.waysBack(reference, target?.name === 'dt' ? target.parent : note);
    if (ways.length === 0 || this.waysTaken.has(reference.link)) return;
    for (const way of ways) this.waysTaken.add(way);
    const label = this.labels.get(note) ?? this.newLabel(reference.mark, note);
    this.roles.set(reference.whole, { kind: 'reference', label });
    this.roles.set(note, { kind: 'note', label });
    if (target?.name === 'dt') this.roles.set(target, SILENT);
    for (const way of ways) this.roles.set(wholeWayBack(way, note), SILENT);
  }

  /** Links inside the note that lead to the mark. */
  private waysBack({ link }: Reference, note: Element['parent']): Element[] {
    const ways: Element[] = [];
    for (const id of idsAround(link)) {
      for (const way of this.linksByFragment.get(id)?.slice(0, MAX_WAYS) ?? []) {
        if (note instanceof Element && holds(note, way)) ways.push(way);
      }
    }
    return ways;
  }

  private newLabel(mark: string, note: Element): string {
    const plain = mark.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
    const stem = plain === '' ? String(this.labels.size + 1) : plain;
    const label = this.taken.take(stem);
    this.labels.set(note, label);
    this.silenceNumber(note);
    return label;
  }

  /** The number before the note, which Sphinx keeps in an element of its own. */
  private silenceNumber(note: Element): void {
    const [first] = note.children.filter((child) => isTag(child));
    if (first !== undefined && /(?:^|\s)label(?:\s|$)/.test(first.attribs.class ?? '')) {
      this.roles.set(first, SILENT);
    }
  }
}

const isRaised = (mark: Element): boolean =>
  mark.name === 'sup' || mark.children.some((child) => isTag(child) && child.name === 'sup');

function decoded(fragment: string): string {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not an encoding: the fragment is taken literally.
    return fragment;
  }
}

/** The outermost element around a link that shows its mark and no more. */
function wholeMark(link: Element): Element {
  let whole = link;
  for (let level = 0; level < LEVELS; level++) {
    const { parent } = whole;
    if (
      !(parent instanceof Element) ||
      !/^(?:sup|span|small|b|i|em|strong|cite)$/.test(parent.name)
    )
      break;
    if (parent.children.length > MAX_WRAPPED) break;
    const text = collapse(textOf(parent, MAX_MARK_CHARS + 1));
    if (text.length > MAX_MARK_CHARS || !MARK.test(text)) break;
    whole = parent;
  }
  return whole;
}

/** The block that a link to a footnote means. */
function noteAround(target: Element): Element | undefined {
  let node: Element = target;
  for (let level = 0; level < LEVELS; level++) {
    if (node.name === 'dt') return nextDefinition(node);
    if (NOTES.has(node.name)) return isInTable(node) ? undefined : node;
    if (!(node.parent instanceof Element)) return undefined;
    node = node.parent;
  }
  return undefined;
}

function nextDefinition(term: Element): Element | undefined {
  let node = term.next;
  while (node !== null && !(node instanceof Element)) node = node.next;
  return node?.name === 'dd' ? node : undefined;
}

/** A note in a grid of cells has nowhere to go. */
function isInTable(note: Element): boolean {
  let node: Element['parent'] = note;
  while (node instanceof Element) {
    if (node.name === 'table') return true;
    node = node.parent;
  }
  return false;
}

function holds(outer: Element, inner: Element): boolean {
  let node: Element['parent'] = inner;
  while (node instanceof Element) {
    if (node === outer) return true;
    node = node.parent;
  }
  return false;
}

/** Names under which a link can be reached: its own, and those of what is close around or in it. */
function idsAround(link: Element): Set<string> {
  const ids = new Set<string>();
  const add = ({ attribs }: Element): void => {
    if (attribs.id) ids.add(attribs.id);
    if (attribs.name) ids.add(attribs.name);
  };
  let node: Element['parent'] = link;
  for (let level = 0; level < LEVELS && node instanceof Element; level++) {
    add(node);
    node = node.parent;
  }
  for (const child of link.children) if (isTag(child)) add(child);
  const before = link.prev;
  if (before instanceof Element && before.name === 'a') add(before);
  return ids;
}

/** A way back with the wrapper that holds nothing else. */
function wholeWayBack(way: Element, note: Element): Element {
  let whole = way;
  for (let level = 0; level < LEVELS; level++) {
    const { parent } = whole;
    if (!(parent instanceof Element) || parent === note || NOTES.has(parent.name)) break;
    const isBack = BACK_CLASS.test(parent.attribs.class ?? '');
    if (!isBack && parent.children.length > MAX_WRAPPED) break;
    const text = isBack ? '' : textOf(parent, MAX_BACK_CHARS + 1);
    if (text.length > MAX_BACK_CHARS || !BACK.test(text)) break;
    whole = parent;
  }
  return whole;
}
