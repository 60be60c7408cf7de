import { isText, type Element } from 'domhandler';
import { isButton, walk, type PageStyles, type ParsedPage } from '@app/content';

/** An element that a reader sees, and its place. */
export interface SeenElement {
  readonly element: Element;
  readonly place: Place;
  /** Characters of text directly in it, in no element within it. */
  readonly textChars: number;
  /** It is a button, or is in one. */
  readonly button: 'is' | 'in' | null;
}

export type Place = 'header' | 'hero' | 'main' | 'footer';

/** Elements examined, from the top of the page. */
const MAX_ELEMENTS = 20_000;
const SKIPPED = new Set(['head', 'script', 'style', 'template', 'noscript', 'iframe', 'option']);
const HEADER = /(?:^|[\s_-])(?:header|masthead|navbar|topbar|top-bar|nav-bar|appbar)(?:$|[\s_-])/i;
const HERO = /(?:^|[\s_-])(?:hero|jumbotron|banner|cover|splash|intro)(?:$|[\s_-])/i;
const FOOTER = /(?:^|[\s_-])footer(?:$|[\s_-])/i;
const MAX_NAME_CHARS = 500;
const MAX_TEXT_CHARS = 10_000;

/**
 * The elements of a page that are shown, in document order: what the page's style or its own
 * attributes hide is left out with all it holds.
 */
export function visibleElements(
  { document }: ParsedPage,
  styles: PageStyles,
): readonly SeenElement[] {
  const seen: SeenElement[] = [];
  const open: SeenElement[] = [];
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (SKIPPED.has(element.name) || isHidden(element, styles)) return false;
      const one = look(element, open.at(-1));
      seen.push(one);
      open.push(one);
      return true;
    },
    leave: () => void open.pop(),
    isDone: () => seen.length >= MAX_ELEMENTS,
  });
  return seen;
}

function look(element: Element, around: SeenElement | undefined): SeenElement {
  return {
    element,
    place: placeOf(element, around?.place ?? 'main'),
    textChars: ownChars(element),
    button: isButton(element) ? 'is' : around?.button ? 'in' : null,
  };
}

function isHidden(element: Element, styles: PageStyles): boolean {
  const { attribs } = element;
  if (attribs.hidden !== undefined || attribs.type === 'hidden') return true;
  const display = styles.own(element, 'display');
  return display === 'none' || styles.own(element, 'visibility') === 'hidden';
}

/** Content of a footer or header stays there, whatever it is called. */
function placeOf({ name, attribs }: Element, around: Place): Place {
  if (around === 'footer' || around === 'header') return around;
  const { class: classes = '', id = '', role } = attribs;
  const names = `${classes} ${id}`.slice(0, MAX_NAME_CHARS);
  if (name === 'footer' || role === 'contentinfo' || FOOTER.test(names)) return 'footer';
  const isHeader = name === 'nav' || role === 'banner' || HEADER.test(names);
  if (around === 'main' && (isHeader || name === 'header')) return 'header';
  return HERO.test(names) ? 'hero' : around;
}

function ownChars(element: Element): number {
  let chars = 0;
  for (const child of element.children) if (isText(child)) chars += child.data.trim().length;
  return Math.min(chars, MAX_TEXT_CHARS);
}
