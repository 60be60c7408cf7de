import { type Element, isTag } from 'domhandler';
import { type Found } from '../listing-values.js';
import { type PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { ownLines, type TextPage } from './text-page.js';

const HEADING =
  /^(?:(?:our|hotel|property|room|club|venue|building|community|most popular|popular|top|all|campground|park|resort|apartment|general) )?(?:amenities|features|facilities|what this place offers|ausstattung)(?: (?:and|&) (?:more|amenities|features|services|facilities))?\s*:?$/i;
const INLINE = /^(?:amenities|features|facilities)(?: include)?\s?:\s?(.{3,})$/i;
const MAX_AMENITIES = 60;
const MAX_NAME_CHARS = 60;
const MARKS = /^[\s✓✔☑•·*–—>»-]+/;
/** Addresses and technical data: a list of something else. */
const NO_LIST = /\b[A-Z]{2}\s\d{5}\b|\d(?:MP|GB|mm|kg|oz|lbs?|Hz)\b/;
/** Invitations that end such lists. */
const NO_AMENITY =
  /^(?:see|show|view|read|more|less|all|learn|book)\b|[.!?]$|\d{3}[-.\s]\d{4}|@|\$/i;

/** What a list under "Amenities" or "Facilities" names. */
export function findAmenities(page: TextPage): Found<readonly string[]> | undefined {
  const lines = ownLines(page);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) continue;
    const inline = INLINE.exec(line.text)?.[1];
    const names =
      inline === undefined ? underHeading(lines, index, line) : inline.split(/\s?[,;·•|]\s?/);
    const value = tidy(names);
    if (value.length >= 2 && !value.some((name) => NO_LIST.test(name)))
      return { value, path: selectorOf(line.element) };
  }
  return undefined;
}

function underHeading(
  lines: readonly PageLine[],
  index: number,
  heading: PageLine,
): readonly string[] {
  if (heading.text.length > 50 || !HEADING.test(heading.text)) return [];
  const names: string[] = [];
  const first = lines[index + 1];
  if (first === undefined) return [];
  // A paragraph that lists them by commas.
  if (!first.isItem && first.text.split(',').length > 2 && first.text.length <= 400)
    return first.text.replace(/\.$/, '').split(/\s?[,;]\s?(?:and\s)?/);
  const isList = first.isItem;
  const block = commonAncestor(heading.element, first.element);
  for (let next = index + 1; next < lines.length && names.length < MAX_AMENITIES; next++) {
    const line = lines[next];
    const isOver =
      line === undefined || /^h[1-6]$/.test(line.element.name) || (isList && !line.isItem);
    if (isOver || line.text.length > MAX_NAME_CHARS || !isWithin(line.element, block)) break;
    names.push(...line.text.split('\t'));
  }
  return names;
}

const MAX_CLIMB = 12;

function ancestorsOf(element: Element): readonly Element[] {
  const ancestors: Element[] = [];
  let current = element.parent;
  while (current !== null && isTag(current) && ancestors.length < MAX_CLIMB) {
    ancestors.push(current);
    current = current.parent;
  }
  return ancestors;
}

/** The block that holds the heading and what it is the heading of. */
function commonAncestor(heading: Element, first: Element): Element | undefined {
  const above = new Set(ancestorsOf(heading));
  return ancestorsOf(first).find((element) => above.has(element));
}

const isWithin = (element: Element, block: Element | undefined): boolean =>
  block !== undefined && ancestorsOf(element).includes(block);

function tidy(names: readonly string[]): readonly string[] {
  const kept = new Map<string, string>();
  for (const raw of names) {
    const name = raw.replace(MARKS, '').trim();
    const isName = name.length >= 2 && name.length <= MAX_NAME_CHARS && /\p{L}/u.test(name);
    if (isName && !NO_AMENITY.test(name) && !kept.has(name.toLowerCase()))
      kept.set(name.toLowerCase(), name);
  }
  return [...kept.values()];
}
