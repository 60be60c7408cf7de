import { Element, isText, type ChildNode } from 'domhandler';
import { holdsLandmark } from './landmarks.js';

const MOUNT_IDS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby']);

/** What lies over a page or moves about in it may hold a title of its own and be hidden for good. */
const OVERLAY =
  /modal|dialog|popup|popover|drawer|off-?canvas|lightbox|overlay|slide|carousel|clone|duplicate|consent|cookie|toast|portal/i;

const WRAPPERS = new Set(['body', 'main', 'div', 'section', 'form', 'center', 'article']);

/** Wrappers below the body, siblings of each and what is in these, that are examined. */
const MAX_LEVELS = 3;
const MAX_SIBLINGS = 40;
const MAX_INSIDE = 10;

/**
 * An open dialog marks all of the page behind it as hidden (`aria-hidden`); readers still mean that
 * page. It is what holds the main heading, or all that the body holds but for dialogs.
 */
export function isPageBehind(element: Element): boolean {
  const { name, attribs } = element;
  if (name === 'body' || name === 'main' || MOUNT_IDS.has(attribs.id ?? '')) return true;
  if (!WRAPPERS.has(name) && !name.includes('-')) return false;
  if (isOverlay(element)) return false;
  return holdsLandmark(element) || isWholePage(element);
}

/** What lies over a page by its role or its name. */
export function isOverlay({ attribs }: Element): boolean {
  const { role } = attribs;
  if (role === 'dialog' || role === 'alertdialog' || attribs['aria-modal'] === 'true') return true;
  return OVERLAY.test(`${attribs.id ?? ''} ${attribs.class ?? ''}`);
}

function isWholePage(element: Element): boolean {
  const wrappers: Element[] = [];
  let node: Element['parent'] = element;
  while (node instanceof Element && node.name !== 'body' && node.name !== 'html') {
    if (wrappers.push(node) > MAX_LEVELS) return false;
    node = node.parent;
  }
  return wrappers.every((wrapper) => standsAlone(wrapper));
}

function standsAlone(element: Element): boolean {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > MAX_SIBLINGS) return false;
  return siblings.every((sibling) => sibling === element || isBesidePage(sibling));
}

const SILENT = new Set(['script', 'style', 'link', 'meta', 'noscript', 'template', 'svg', 'head']);

/** Nothing a reader would miss, or what lies over the page. */
function isBesidePage(node: ChildNode): boolean {
  if (isText(node)) return node.data.trim() === '';
  if (!(node instanceof Element)) return true;
  if (SILENT.has(node.name) || node.name === 'dialog' || node.children.length === 0) return true;
  if (node.attribs.hidden !== undefined || node.attribs['aria-hidden'] === 'true') return true;
  return isOverlay(node) || node.children.slice(0, MAX_INSIDE).some((child) => isTagOverlay(child));
}

const isTagOverlay = (node: ChildNode): boolean => node instanceof Element && isOverlay(node);
