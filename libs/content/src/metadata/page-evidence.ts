import { isTag, Text, type Document, type Element, type ParentNode } from 'domhandler';
import { collapse, walk } from '../dom/walk.js';
import { isoTimeOf } from './iso-time.js';

/** Elements that are looked at; the byline of an article is among the first. */
const MAX_ELEMENTS = 6_000;
/** Elements after the main heading that a byline may be in, and before it. */
const NEAR_AFTER = 150;
const NEAR_BEFORE = 60;
const MAX_HEADINGS = 4;
/** Without a main heading, as many bylines and dates are read. */
const MAX_EARLY = 200;
const MAX_TEXT_CHARS = 200;
const MAX_BYLINE_CHARS = 80;
/** Elements around one far below the heading that may say that it is about others. */
const MAX_AROUND = 20;
/** Elements in parts about others that are looked through for the main heading. */
const MAX_LOOKED_THROUGH = 3_000;
/** Dates far below the heading that are compared. */
const MAX_FAR = 20;
/** Of the classes of what is around: asked again and again. */
const MAX_MARK_CHARS = 200;

const SKIPPED = new Set(
  'script style noscript template svg nav footer select iframe form'.split(' '),
);
/** Parts about other pages and other people. */
const OTHERS =
  /(?:^|[\s_-])(?:related|recommended|recommendations?|recirc|sidebar|comments?|commentlist|promo|more-from|popular|trending|latest|newsletter|carousel|read-?next)(?:$|[\s_-])|(?:^|\s)widget(?!\sBlog\b)(?:$|[\s_])|(?:^|[\s_-])(?:card|teasers?)(?:$|\s|-(?:item|list|box|grid))|(?:^|[\s_-])(?:site|page)-?footer/i;
const AUTHOR_CLASS =
  /(?:^|[\s_-])(?:authors?|author-?names?|byline|by-line|writer|posted-?by|written-?by|contributors?|username|autor|auteur)(?:$|[\s_-]|__)/i;
const NO_AUTHOR_CLASS = /avatar|image|img|bio|desc|date|time|social|follow|photo|thumb|count|icon/i;
const DATE_CLASS =
  /(?:^|[\s_-])(?:date|dates|datetime|publish(?:ed)?|pubdate|posted(?:-on)?|timestamp|post-?date|entry-?date|datum|fecha|meta-date|time)(?:$|[\s_-]|__)/i;
const CHANGED =
  /updat|modif|aktualisiert|geändert|mis à jour|actualizado|aggiornato|edited|reviewed/i;
const BYLINE =
  /^(?:(?:written|posted|published|story|words|text)\s)?(?:by|von|par|por|di|door)\s\p{Lu}/iu;

/** What the text of a page says of who wrote it, and when. */
export interface MetadataEvidence {
  readonly author?: string;
  readonly published?: string;
  readonly modified?: string;
}

interface Found {
  readonly value: string;
  readonly rank: number;
}

/** Reads bylines and dates around the main heading; one walk over the start of a page. */
export function readMetadataEvidence(document: Document, isMonthFirst: boolean): MetadataEvidence {
  const reader = new EvidenceReader(isMonthFirst);
  walk(document, reader);
  return reader.finish();
}

class EvidenceReader {
  private seen = 0;
  /** Of the latest main heading. */
  private headingAt = -1;
  private headings = 0;
  private author: Found | null = null;
  private published: Found | null = null;
  private modified: Found | null = null;
  private lookedThrough = 0;
  /** Dates far below the heading: one that stands alone is the page's. */
  private readonly far: string[] = [];
  /** What was found before the heading, with its place. */
  private readonly early: { readonly at: number; readonly take: () => void }[] = [];

  constructor(private readonly isMonthFirst: boolean) {}

  text(): void {
    // Texts are read with the element that holds them.
  }

  isDone(): boolean {
    return this.seen > MAX_ELEMENTS;
  }

  enter(element: Element): boolean {
    const { name, attribs } = element;
    if (SKIPPED.has(name)) return false;
    this.seen++;
    if (name === 'h1') this.meetHeading();
    const marks = attribs.class ?? '';
    if (this.headingAt >= 0 && this.seen - this.headingAt > NEAR_AFTER) {
      // Far below only what is marked as the page's own counts.
      const isNamed = attribs.itemprop !== undefined || attribs.rel !== undefined;
      if (!isNamed) this.readFarTime(element, marks);
      if (!isNamed || isOfOthers(element)) return true;
    } else if (isAboutOthers(element) && !this.holdsHeading(element)) return false;
    const own = ownText(element);
    this.readAuthor(element, marks, own);
    this.readTime(element, marks, own);
    return true;
  }

  finish(): MetadataEvidence {
    // Without a heading all is near.
    if (this.headingAt < 0) for (const { take } of this.early.slice(0, MAX_EARLY)) take();
    const [author, published, modified] = [this.author, this.published, this.modified];
    const isUndated = published === null && modified === null;
    const far = isUndated ? onlyDay(this.far, this.isMonthFirst) : undefined;
    return {
      ...(author === null ? {} : { author: author.value }),
      ...(published === null ? {} : { published: published.value }),
      ...(modified === null ? {} : { modified: modified.value }),
      ...(far === undefined ? {} : { published: far }),
    };
  }

  /** A site has its name in a heading, too: what is near to one of the first few counts. */
  private meetHeading(): void {
    if (++this.headings > MAX_HEADINGS) return;
    this.headingAt = this.seen;
    for (const { at, take } of this.early) if (this.seen - at <= NEAR_BEFORE) take();
  }

  /** What holds the main heading is the page's own, whatever its class says: "article--sidebar-right". */
  private holdsHeading(element: Element): boolean {
    let isHeld = false;
    walk(element, {
      text: () => undefined,
      enter: ({ name }) => {
        this.lookedThrough++;
        isHeld ||= name === 'h1';
        return !isHeld;
      },
      isDone: () => isHeld || this.lookedThrough > MAX_LOOKED_THROUGH,
    });
    return isHeld;
  }

  private readFarTime(element: Element, marks: string): void {
    const { name, attribs } = element;
    const isTime = name === 'time' || name === 'relative-time';
    if (this.far.length >= MAX_FAR || !(isTime || (marks !== '' && DATE_CLASS.test(marks)))) return;
    const text = (isTime ? attribs.datetime : undefined) ?? textIn(element);
    if (text.length >= 8 && text.length <= 100 && /\d\d/.test(text) && !isOfOthers(element))
      this.far.push(text);
  }

  private readAuthor(element: Element, marks: string, own: string): void {
    const { name, attribs } = element;
    if (name === 'body' || name === 'html' || name === 'head') return;
    const rel = attribs.rel;
    const isNamed = attribs.itemprop?.includes('author') === true;
    const isLink = rel !== undefined && /(?:^|\s)author(?:\s|$)/i.test(rel) && name === 'a';
    if (isNamed || isLink)
      return this.offerAuthor(isNamed ? namedAuthor(element) : textIn(element), 5, true);
    if (marks !== '' && AUTHOR_CLASS.test(marks) && !NO_AUTHOR_CLASS.test(marks))
      return this.offerAuthor(textIn(element), 3, false);
    if (name === 'a' && /\/(?:author|authors|contributor|profile)\/[^/]/i.test(attribs.href ?? ''))
      return this.offerAuthor(textIn(element), 3, false);
    if (own.length < MAX_BYLINE_CHARS && BYLINE.test(own))
      this.offerAuthor(textIn(element), 2, false);
  }

  private offerAuthor(text: string, rank: number, isSure: boolean): void {
    const value = authorNameOf(text.replace(E_MAIL, ' '));
    if (value === undefined) return;
    this.offer(isSure, () => {
      if ((this.author?.rank ?? 0) < rank) this.author = { value, rank };
    });
  }

  private readTime(element: Element, marks: string, own: string): void {
    const { name, attribs } = element;
    const { itemprop, datetime, content } = attribs;
    if (itemprop === 'datePublished' || itemprop === 'dateModified') {
      const text = content ?? datetime ?? attribs.title ?? textIn(element);
      return this.offerTime(text, 6, true, itemprop === 'dateModified');
    }
    if (name === 'time' || name === 'relative-time') {
      const isChanged = CHANGED.test(marks) || CHANGED.test(textBefore(element));
      const text = isoTimeOf(datetime ?? '') === undefined ? textIn(element) : (datetime ?? '');
      return this.offerTime(text, attribs.pubdate === undefined ? 4 : 5, false, isChanged);
    }
    const isMarked = marks !== '' && DATE_CLASS.test(marks);
    const text = isMarked ? textIn(element) : own;
    if (text.length < 8 || text.length > 100) return;
    this.offerTime(text, isMarked ? 3 : 2, false, CHANGED.test(text) || CHANGED.test(marks));
  }

  private offerTime(text: string, rank: number, isSure: boolean, isChanged: boolean): void {
    if (!/\d\d/.test(text) || (!isSure && BORN.test(text))) return;
    this.offer(isSure, () => {
      // Read late: most of what is above the heading never matters.
      const value = timeIn(text, this.isMonthFirst);
      if (value === undefined) return;
      if (isChanged) this.modified = better(this.modified, value, rank);
      else this.published = better(this.published, value, rank);
    });
  }

  private offer(isSure: boolean, take: () => void): void {
    if (isSure) return take();
    if (this.headingAt < 0) this.early.push({ at: this.seen, take });
    else if (this.seen - this.headingAt <= NEAR_AFTER) take();
  }
}

/** Dates of a life are none of the page. */
const BORN = /\b(?:born|birth|died|geboren|geburt|gestorben|née?|nacid|nascid|nato il|mort)/i;

/** "Published on: 3 May 2024" */
const timeIn = (text: string, isMonthFirst: boolean): string | undefined =>
  isoTimeOf(text.replace(/^[^\d]{0,40}?(?:on|am|:)\s/i, ''), isMonthFirst);

/** The first of times that are all of one day: a list of other pages has several. */
function onlyDay(texts: readonly string[], isMonthFirst: boolean): string | undefined {
  const times = texts.flatMap((text) => timeIn(text, isMonthFirst) ?? []);
  return new Set(times.map((time) => time.slice(0, 10))).size === 1 ? times[0] : undefined;
}

function isAboutOthers({ name, attribs }: Element): boolean {
  const marks = attribs.class;
  if (marks === undefined || name === 'body' || name === 'html') return false;
  return OTHERS.test(marks.slice(0, MAX_MARK_CHARS));
}

/** Asked of the few elements that matter, not on the way down. */
function isOfOthers(element: Element): boolean {
  let around: ParentNode | null = element;
  for (let steps = 0; steps < MAX_AROUND && around !== null && isTag(around); steps++) {
    if (isAboutOthers(around)) return true;
    around = around.parent;
  }
  return false;
}

const better = (known: Found | null, value: string, rank: number): Found =>
  known !== null && known.rank >= rank ? known : { value, rank };

/** Nodes below an element that are looked at: a byline has few, and elements are nested. */
const MAX_NODES_INSIDE = 60;
/** Elements whose text is no part of the word before them. */
const APART = new Set('br div p li td dd'.split(' '));

function textIn(element: Element): string {
  let text = '';
  let nodes = 0;
  walk(element, {
    text: (data) => void (text += data.slice(0, MAX_TEXT_CHARS)),
    enter: ({ name }) => {
      nodes++;
      if (APART.has(name)) text += ' ';
      return name !== 'script' && name !== 'style';
    },
    isDone: () => nodes > MAX_NODES_INSIDE || text.length > MAX_TEXT_CHARS,
  });
  return collapse(text);
}

/** Of an element without others inside it but line breaks and links. */
function ownText(element: Element): string {
  const { children } = element;
  let text = '';
  for (let at = 0; at < children.length && at < 8; at++) {
    const child = children[at];
    text += child instanceof Text ? child.data : ' ';
    if (text.length > MAX_TEXT_CHARS) return '';
  }
  return collapse(text);
}

/** "Updated:" right before a time. */
function textBefore({ prev }: Element): string {
  return prev !== null && 'data' in prev ? prev.data.slice(-40) : '';
}

/** The name inside an author of microdata. */
function namedAuthor(element: Element): string {
  const { attribs } = element;
  if (attribs.content !== undefined) return attribs.content;
  let name = '';
  let nodes = 0;
  walk(element, {
    text: () => undefined,
    enter: (inner) => {
      if (name === '' && inner.attribs.itemprop === 'name')
        name = inner.attribs.content ?? textIn(inner);
      return name === '';
    },
    isDone: () => ++nodes > MAX_NODES_INSIDE,
  });
  return name === '' ? textIn(element) : name;
}

/** Longer texts hold more than names. */
const MAX_CHARS = 100;
const MAX_WORDS = 9;

/** Before a name, in the main languages. */
const BEFORE =
  /^(?:(?:(?:story|text|article|written|posted|published|words|report(?:ed)?|medically reviewed|reviewed|photos?)\s)?by|von|par|por|di|door|af|av|przez|autor(?:in|es)?|auteurs?|author|authors|redakteur|écrit par|escrito por|scritto da|geschrieben von|thread starter|writer|автор|作者)(?:\s?[:：]\s?|\s(?!$)|(?=：))/i;
/** What follows a name: its date, its place, its newspaper. */
const AFTER =
  /\s?(?:[|•·›»]|\s[–—-]\s|,?\s(?:on|am|le|el|il|op)\s\d|,?\s(?:updated|published|posted|aktualisiert|veröffentlicht|staff writer|contributor|editor|senior|reporter|contributing)\b|\s?\d{1,2}[./:-]\d|\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}{0,8}\.?\s\d|\b\d{4}\b|\()/iu;

const NO_NAME =
  /^(?:admin|administrator|author|authors|autor|by|contributor|editor|editorial staff|editors|guest author|moderator|redaktion|root|staff|staff writer|super user|webmaster|about the authors?|about|guest|anonymous|written by|posted by|follow|share|comments?|read more|more|profile|view profile|subscribe|home|null|undefined|none|user|unknown)$/i;

const E_MAIL = /[^\s<>()@]{1,64}@[\w.-]{1,255}/;

/** What a page states as its author, without an address of e-mail; undefined: a role, or an address alone. */
export function statedName(stated: string): string | undefined {
  if (stated.length > 10 * MAX_CHARS) return stated;
  // "mail@example.com (Jane Doe)", as in feeds.
  const inBrackets = stated.includes('@') ? /\(([^()]{1,200})\)\s*$/.exec(stated)?.[1] : undefined;
  const name = collapse((inBrackets ?? stated).replace(E_MAIL, ' ').replace(/<\s*>/, ''));
  return name === '' || NO_NAME.test(name) ? undefined : name;
}

/** The name in a byline; undefined of what is none. */
function authorNameOf(source: string): string | undefined {
  if (source.length > 4 * MAX_CHARS) return undefined;
  let text = source.replace(/\s+/g, ' ').trim();
  for (let turn = 0; turn < 2; turn++) text = text.replace(BEFORE, '').trim();
  const end = text.search(AFTER);
  text = bare(end === -1 ? text : text.slice(0, end));
  const isName =
    text.length >= 2 &&
    text.length <= MAX_CHARS &&
    text.split(' ').length <= MAX_WORDS &&
    /\p{L}/u.test(text) &&
    !/https?:|[<>{}!?]|\.\s\p{L}{4}/u.test(text) &&
    !NO_NAME.test(text);
  return isName ? text : undefined;
}

const MARK = /[\s,:;–—-]/;

/** Without marks at either end. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && MARK.test(text[from] ?? '')) from++;
  while (to > from && MARK.test(text[to - 1] ?? '')) to--;
  return text.slice(from, to);
}
