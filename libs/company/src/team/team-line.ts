import { collapse, type PageLine, walk } from '@app/content';
import { type Element, isTag } from 'domhandler';
import { marksOf } from '../page/own-voice.js';

/** A line of the page's body with what its place says. */
export interface TeamLine {
  readonly text: string;
  readonly element: Element;
  readonly isHeading: boolean;
  /** 1 to 6 of a heading element, else 7. */
  readonly level: number;
  /** What customers and readers say. */
  readonly isOthers: boolean;
}

export function teamLine({ text, element, isHeading }: PageLine, isOthers: boolean): TeamLine {
  const level = /^h([1-6])$/.exec(element.name)?.[1];
  return { text, element, isHeading, level: level === undefined ? 7 : Number(level), isOthers };
}

const MAX_SEGMENTS = 8;
const MAX_SEGMENT_NODES = 60;
const MAX_SEGMENT_CHARS = 160;

/** The texts of a line's inline elements, each for itself: `<b>Anna Lee</b> <i>CEO</i>`. */
export function segmentsOf({ element, text }: TeamLine): readonly string[] {
  const segments: string[] = [];
  if (text.length > MAX_SEGMENT_CHARS || element.children.length < 2) return segments;
  let nodes = 0;
  walk(element, {
    text: (data) => {
      const part = collapse(data.slice(0, MAX_SEGMENT_CHARS));
      if (part !== '' && text.includes(part)) segments.push(part);
    },
    enter: () => true,
    isDone: () => ++nodes > MAX_SEGMENT_NODES || segments.length >= MAX_SEGMENTS,
  });
  return segments;
}

const CARD =
  /(?:^|[\s_-])(?:team\w*|members?|staff\w*|person\w*|people|employees?|crew|profiles?|attorneys?|lawyers?|doctors?|providers?|agents?|founders?|leaders?|leadership|mitarbeiter\w*|ansprechpartner|equipe|equipo|squadra|medarbejdere|medewerkers?|h-card|vcard|bio)(?:[\s_-]|$)|team-?(?:member|card|item|box)|teammember|staff-?(?:member|card)/i;
/** `leader__name`, `staff-name`: a name of a person, and nothing else. */
const PERSON_NAME =
  /(?:leader|member|staff|person|people|team|employee|attorney|lawyer|doctor|provider|agent|founder|mitarbeiter)\w{0,20}[-_]{1,2}(?:\w{1,20}[-_]{1,2})?name(?:[\s_-]|$)/i;
const NAME = /(?:^|[\s_-])(?:\w{0,60}name|fn|title)(?:[\s_-]|$)/i;
const ROLE =
  /(?:^|[\s_-])(?:role|position|job(?:-?title)?|designation|subtitle|function|funktion|fonction|poste|cargo|ruolo|title|rolle|profession|occupation|special(?:ty|ism|ity|isation|ization)|fachgebiet|\w{0,60}__(?:role|title|position))(?:[\s_-]|$)/i;
/** Blocks of texts by or about people outside the company. */
const BYLINE =
  /(?:^|[\s_-])(?:by-?line|author(?:s|-?box|-?bio|-?card|-?info|-?name)?|(?:post|entry|article|blog|news)-?(?:card|meta|author|teaser|preview|item|list|grid|excerpt)|testimonial\w*|reviews?|reviewer|quotes?|case-?stud\w*|clients?|customers?|client-?logo|sponsors?|speakers?|events?|products?|product-?(?:card|item|grid))(?:[\s_-]|$)/i;
const MAX_CLIMB = 5;

export const isNameMarked = ({ element }: TeamLine): boolean => NAME.test(marksOf(element.attribs));
export const isPersonMarked = ({ element }: TeamLine): boolean =>
  PERSON_NAME.test(marksOf(element.attribs));
export const isRoleMarked = ({ element }: TeamLine): boolean => ROLE.test(marksOf(element.attribs));
export const isInCard = ({ element }: TeamLine): boolean => climbs(element, CARD);
export const isByline = ({ element }: TeamLine): boolean => climbs(element, BYLINE);

function climbs(start: Element, pattern: RegExp): boolean {
  let node: Element | null = start;
  for (let step = 0; node !== null && step < MAX_CLIMB; step++) {
    // The frame of a page is named for all of it.
    if (node.name === 'body' || node.name === 'main') return false;
    if (pattern.test(marksOf(node.attribs))) return true;
    node = node.parent !== null && isTag(node.parent) ? node.parent : null;
  }
  return false;
}

/** What elements of one list have in common. */
export const shapeOf = ({ element }: TeamLine): string =>
  `${element.name}.${(element.attribs.class ?? '').slice(0, 100)}`;
