import { type ContentOptions } from '@app/contracts';
import { type Document, type Element } from 'domhandler';
import { countInk, isUnseen } from '../dom/visibility.js';
import { type Visitor, walk } from '../dom/walk.js';
import { type JsonLd } from '../json-ld/read-json-ld.js';
import { findMainContent } from '../main-content/find-main-content.js';
import { type Match, matchAny, SelectorWorkError, StepCounter } from './selectors.js';

/** What of a page is kept: some elements, in document order, without those that are left out. */
export interface PagePart {
  /** None inside another. */
  readonly roots: readonly (Document | Element)[];
  readonly dropped: ReadonlySet<Element>;
  /** Elements in dropped ones that are kept, each by itself; by the dropped element. */
  readonly names?: ReadonlyMap<Element, Element>;
  /** The selectors' work was cut off. */
  readonly isCut: boolean;
}

/** Whether options leave anything of a page out. */
export function narrows(options: ContentOptions): boolean {
  return (
    options.onlyMainContent || options.includeTags.length > 0 || options.excludeTags.length > 0
  );
}

/** All of a page. */
export function wholeOf(document: Document): PagePart {
  return { roots: [document], dropped: new Set(), isCut: false };
}

/**
 * The part of a page that options keep. Selectors that include are the author's own word on what
 * the content is, so `onlyMainContent` does not guess beside them.
 */
export function choosePart(document: Document, options: ContentOptions, jsonLd: JsonLd): PagePart {
  const dropped = new Set<Element>();
  const included: Element[] = [];
  const hasIncludes = options.includeTags.length > 0;
  const steps = new StepCounter();
  const isDropped = matchAny(options.excludeTags, steps);
  const isIncluded = matchAny(options.includeTags, steps);
  const isCut = runBounded(() => {
    select(document, { isDropped, isIncluded: hasIncludes ? isIncluded : null, dropped, included });
  });
  if (hasIncludes) return { roots: included, dropped, isCut };
  if (!options.onlyMainContent) return { roots: [document], dropped, isCut };
  const main = findMainContent(document, dropped, jsonLd);
  return { ...main, isCut };
}

function runBounded(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof SelectorWorkError) return true;
    throw error;
  }
}

interface Selection {
  readonly isDropped: Match;
  readonly isIncluded: Match | null;
  readonly dropped: Set<Element>;
  readonly included: Element[];
}

/** One walk for all selectors. What is excluded is excluded inside what is included, and around it. */
function select(document: Document, selection: Selection): void {
  let within: Element | null = null;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (selection.isDropped(element)) {
        selection.dropped.add(element);
        return false;
      }
      if (within === null && selection.isIncluded?.(element)) {
        selection.included.push(element);
        within = element;
      }
      return true;
    },
    leave: (element) => {
      if (within === element) within = null;
    },
  });
}

/** Visits a part of a page as {@link walk} visits a whole one; `between` is called where pieces meet. */
export function walkPart(part: PagePart, visitor: Visitor, between?: () => void): void {
  const { dropped, names } = part;
  const skip = (element: Element): boolean => {
    const name = names?.get(element);
    if (name === undefined) return false;
    between?.();
    walkRoot(name, visitor);
    between?.();
    return false;
  };
  const kept: Visitor =
    dropped.size === 0
      ? visitor
      : {
          text: (data, node) => visitor.text(data, node),
          enter: (element) => (dropped.has(element) ? skip(element) : visitor.enter(element)),
          leave: (element) => visitor.leave?.(element),
          isDone: () => visitor.isDone?.() ?? false,
        };
  for (const root of part.roots) {
    if (kept.isDone?.()) return;
    between?.();
    walkRoot(root, kept);
  }
}

function walkRoot(root: Document | Element, visitor: Visitor): void {
  if (!('name' in root)) return walk(root, visitor);
  if (!visitor.enter(root)) return;
  walk(root, visitor);
  visitor.leave?.(root);
}

/** The links of a part, hidden ones too; those in templates are left out. */
export function anchorsOf(part: PagePart): readonly Element[] {
  const anchors: Element[] = [];
  walkPart(part, {
    text: () => undefined,
    enter: (element) => {
      const { name, attribs } = element;
      if ((name === 'a' || name === 'area') && attribs.href !== undefined) anchors.push(element);
      return name !== 'template';
    },
  });
  return anchors;
}

const SEEN_WITHOUT_TEXT = new Set(['img', 'video', 'audio', 'iframe', 'frame', 'math']);

/** Whether a part shows a reader neither text nor pictures. */
export function isBlankPart(part: PagePart): boolean {
  let isBlank = true;
  walkPart(part, {
    text: (data) => void (isBlank &&= countInk(data) === 0),
    enter: (element) => {
      if (SEEN_WITHOUT_TEXT.has(element.name)) isBlank = false;
      return !isUnseen(element);
    },
    isDone: () => !isBlank,
  });
  return isBlank;
}
