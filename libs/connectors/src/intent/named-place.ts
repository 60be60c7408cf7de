import { businessKind, MAX_KIND_WORDS } from '../businesses/business-kinds.js';

export interface NamedPlace {
  /** Kind of business as it was written, in lower case. */
  readonly kind: string;
  readonly place: string;
}

/** Words that lead to a place, wherever they are. */
const PLACED =
  /\s(?:(?:that are |which are )?(?:located|based|situated) (?:in|at|near)|in(?: the (?:area|city|town) of)?|near(?:by)?(?: to)?|around|close to)\s/gi;
/** Words that lead to a place behind a known kind only. */
const PERHAPS_PLACED = /\s(?:from|at|of|for|on)\s/gi;
/** What follows a place. */
const AFTER_PLACE =
  /(?:\s(?:with|without|that|which|who|have|has|rated|please|pls|and (?:give|show|tell|list|their|export)|to (?:csv|a |an |excel|json)|as (?:csv|json|a )|sorted|for me|ordered)\b.*$)/i;
const POSTAL = /^(?:the )?(?:zip|postal|post) ?codes?(?: of)? /i;
/** Words between the kind and the place. */
const BEFORE_PLACE =
  /\s(?:are|is|there|are there|available|open|located|exist|we have|i can find|can i find|with (?:good|great|the best|best|high)?\s?(?:reviews?|ratings?))$/i;
/** Beginnings of requests, as often as they occur. */
const OPENING =
  /^(?:(?:hi|hello|hey|ok|okay|please|pls|now|then|so)[,!.]?\s|(?:i|we)(?:'d| would| am|'m|'re| are)?\s(?:like|need|want|look(?:ing)?|search(?:ing)?|after|interested|have)\s?(?:to (?:have|get|see|find)\s)?(?:for\s|in\s)?|(?:can|could|would|will) you\s(?:please\s)?|(?:do you know|are there|is there|there are|tell me|show|list|find|get|give|fetch|pull|scrape|export|build|make|search|look(?:ing)? (?:up|for)?|need|want|collect|gather|download|use|extract|who|what|which|where)\b\s?|(?:can i find|can you find|you can find|is|are|do|does|me|us|my boss wants|up|for|out|all|every(?:thing)?|each|any|some|an?|the|of|with|about|only|just|more|other|local|businesses|leads?|lists?|names?|list|spreadsheet|table|csv|file|contact info(?:rmation)?|contacts?|details|phone numbers?|e-?mails?|addresses|to find|to|on|maps?|best|top|highest|highly|well|good|great|rated|reviewed|reviews?|ratings?|customer|favou?rite|popular|number|many|how|people's|new|you can)\b[:,]?\s)/i;

/**
 * The kind of business and the place that a request names; null: it names none. A kind is known, or it is what is left of
 * the words before the place.
 */
export function namedPlace(text: string): NamedPlace | null {
  for (const { index, 0: word } of [...text.matchAll(PLACED)]) {
    const kind = kindIn(text.slice(0, index), true);
    const place = placeOf(text.slice(index + word.length));
    if (kind !== null && place !== null) return { kind, place };
  }
  for (const { index, 0: word } of [...text.matchAll(PERHAPS_PLACED)]) {
    const kind = kindIn(text.slice(0, index), false);
    const place = placeOf(text.slice(index + word.length));
    if (kind !== null && place !== null) return { kind, place };
  }
  return null;
}

const MAX_UNKNOWN_WORDS = 6;

/** The known kind that words end with, or all that is left of them. */
function kindIn(before: string, mayBeUnknown: boolean): string | null {
  const words = trimmed(before).toLowerCase();
  const known = knownKind(words.split(' '));
  if (known !== null) return known;
  const left = withoutOpening(words);
  const count = left.split(' ').length;
  const isKind = /\p{L}{3}/u.test(left) && count <= MAX_UNKNOWN_WORDS;
  return mayBeUnknown && isKind ? left : null;
}

/** The longest known kind that words end with. */
export function knownKind(words: readonly string[]): string | null {
  for (let count = Math.min(MAX_KIND_WORDS + 1, words.length); count >= 1; count--) {
    const phrase = words.slice(-count).join(' ').replace(/["“”]/g, '');
    if (businessKind(phrase) !== null) return phrase;
  }
  return null;
}

function trimmed(before: string): string {
  let text = before.trim();
  for (let turn = 0; turn < 4 && BEFORE_PLACE.test(` ${text}`); turn++)
    text = ` ${text}`.replace(BEFORE_PLACE, '').trim();
  return withoutTrailing(text, ',:; ');
}

function withoutOpening(words: string): string {
  let text = words;
  for (let turn = 0; turn < 20; turn++) {
    const next = text.replace(OPENING, '').trim();
    if (next === text || next === '') return text;
    text = next;
  }
  return text;
}

const MAX_PLACE_CHARS = 100;

function placeOf(after: string): string | null {
  const cut = ` ${after}`.replace(AFTER_PLACE, '').trim();
  const place = withoutTrailing(cut, SENTENCE_SIGNS)
    .replace(/\s(?:please|pls)$/i, '')
    .replace(/["“”]/g, '')
    .replace(POSTAL, '')
    .trim();
  return place === '' || place.length > MAX_PLACE_CHARS ? null : place;
}

/** A text without any of these signs at its end. Linear, which a pattern with a repetition at its end is not. */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Signs that end a sentence or a part of it. */
export const SENTENCE_SIGNS = '?!.;:, ';
