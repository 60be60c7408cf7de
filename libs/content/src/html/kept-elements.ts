/** Elements written under their own name. None has raw text: so no text of a page is ever read as a tag. */
const KEPT = new Set(
  (
    'p div section article main header footer nav aside address figure figcaption form fieldset ' +
    'legend center hgroup search dl dt dd details summary dialog h1 h2 h3 h4 h5 h6 ul ol menu dir ' +
    'li blockquote pre table caption colgroup thead tbody tfoot tr td th a abbr acronym b bdi bdo ' +
    'big cite code data del dfn em i ins kbd label mark nobr q rb rt rtc ruby s samp small span ' +
    'strike strong sub sup time tt u var output math'
  ).split(' '),
);

const KEPT_VOID = new Set(['br', 'hr', 'wbr', 'col']);

/** Written under the name of an element that means the same and reads its content as markup. */
const RENAMED: Readonly<Record<string, string>> = {
  listing: 'pre',
  xmp: 'pre',
  plaintext: 'pre',
  button: 'span',
};

/** Children of a formula; anything else in one loses its tags. */
const KEPT_IN_MATH = new Set(
  (
    'mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom menclose ' +
    'msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr ' +
    'mtd semantics'
  ).split(' '),
);

/** Sources of a formula in another language: no reader sees them. */
export const MATH_SOURCES: ReadonlySet<string> = new Set(['annotation', 'annotation-xml']);

/** Name under which an element is written; null: its content is written without it. */
export function keptName(name: string, isInMath: boolean): string | null {
  if (isInMath) return KEPT_IN_MATH.has(name) ? name : null;
  if (KEPT.has(name)) return name;
  return Object.hasOwn(RENAMED, name) ? (RENAMED[name] ?? null) : null;
}

export function isKeptVoid(name: string): boolean {
  return KEPT_VOID.has(name);
}

const GLOBAL = 'id class title lang dir role aria-label itemprop itemscope itemtype itemid';

const OWN: Readonly<Record<string, string>> = {
  a: 'rel hreflang type',
  col: 'span',
  colgroup: 'span',
  data: 'value',
  del: 'datetime',
  details: 'open',
  dialog: 'open',
  ins: 'datetime',
  li: 'value',
  math: 'display alttext',
  mo: 'stretchy fence separator accent',
  mi: 'mathvariant',
  mtd: 'rowspan columnspan',
  ol: 'start type reversed',
  td: 'colspan rowspan headers',
  th: 'colspan rowspan headers scope abbr',
  time: 'datetime',
};

const sets = (lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(lists).map(([name, list]) => [name, new Set(list.split(' '))]));

const GLOBAL_ATTRIBUTES: ReadonlySet<string> = new Set(GLOBAL.split(' '));
const OWN_ATTRIBUTES = sets(OWN);

/** Whether an attribute of this written element is kept as it is. Addresses are not: they are resolved. */
export function isKeptAttribute(elementName: string, name: string): boolean {
  return GLOBAL_ATTRIBUTES.has(name) || OWN_ATTRIBUTES.get(elementName)?.has(name) === true;
}
