import { likelyCountry, collapse, textOf } from '@app/content';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import { isTag, type ChildNode, type Element } from 'domhandler';
import type { PagePhone } from '../company-page.js';
import type { SurveyedPage } from '../page/page-survey.js';
import {
  hasPhoneWord,
  isFaxAfter,
  isOthersPhone,
  MAX_PHONE_LABEL_CHARS,
  phoneLabel,
  type PhoneLabel,
} from './phone-labels.js';
import { marksOf } from '../page/own-voice.js';
import { dialledText, phoneNumber, withoutLetters } from './phone-text.js';
import { MAX_PAGE_PHONES } from '../limits.js';

const MAX_LINES_WITH_NUMBERS = 2_000;

/**
 * Phone numbers that the page gives as the company's, as it writes them: in text, in `tel:` links
 * and in JSON-LD. Fax numbers are marked, numbers of things (orders, licences, dates) left out.
 */
export function findPhones(surveyed: SurveyedPage): readonly PagePhone[] {
  const { page, nodes } = surveyed;
  const country = homeCountry(page.url, page.metadata.language ?? '');
  const phones = new PhoneSet(country);
  readLines(surveyed, phones);
  readPhoneLinks(surveyed, phones);
  for (const { item, path } of nodes) {
    if (path.some((key) => /fax/i.test(key))) continue;
    for (const text of [item.telephone, item.phone].flat(1))
      if (typeof text === 'string') phones.add(text.replace(/^\s*tel:/i, ''), 'phone', 1);
  }
  for (const text of surveyed.markings.statedPhones) phones.add(text, 'phone', 1);
  return phones.list();
}

function readLines({ survey, voice }: SurveyedPage, phones: PhoneSet): void {
  let labelBefore = '';
  let looked = 0;
  for (const line of survey.lines) {
    const { text } = line;
    if (
      /\d{3}|\d\d\D\d\d/.test(text) &&
      ++looked <= MAX_LINES_WITH_NUMBERS &&
      !voice.isOthers(line)
    )
      readLine(text, labelBefore, phones);
    labelBefore = text.length <= MAX_PHONE_LABEL_CHARS && !/\d{3}/.test(text) ? text : '';
  }
}

function readLine(text: string, labelBefore: string, phones: PhoneSet): void {
  const taken: (readonly [start: number, end: number])[] = [];
  const read = (pattern: RegExp, accepts: (shown: string, label: PhoneLabel) => boolean): void => {
    for (const { 0: shown, index } of text.matchAll(pattern)) {
      const end = index + shown.length;
      if (taken.some(([from, to]) => index < to && end > from)) continue;
      const label = labelAt(text, index, end, labelBefore);
      if (label === 'thing' || !accepts(shown, label)) continue;
      if (isOthersPhone(text.slice(0, index))) continue;
      const number = phones.add(shown, label, 3);
      if (number !== undefined) taken.push([index, index + number.length]);
    }
  };
  read(WITH_PREFIX, () => true);
  read(AMERICAN, () => true);
  read(VANITY, () => true);
  read(BARE, (_, label) => label === 'phone' || label === 'fax');
  if (phones.isAmerican) return;
  const hasWord = hasPhoneWord(text) || hasPhoneWord(labelBefore);
  read(ELSEWHERE, (shown, label) => {
    if (DATE_OR_HOURS.test(shown)) return false;
    return label !== 'none' || (hasWord && /^\(?0/.test(shown));
  });
}

function labelAt(text: string, start: number, end: number, labelBefore: string): PhoneLabel {
  if (isFaxAfter(text.slice(end))) return 'fax';
  const before = text.slice(Math.max(0, start - MAX_PHONE_LABEL_CHARS), start);
  return phoneLabel(/[\p{L}\d#☎☏✆📞📱]/u.test(before) ? before : labelBefore + before);
}

/** Countries named by their top-level domain or their language, beyond those that listings know. */
const BY_TLD: Readonly<Record<string, CountryCode>> = {
  jp: 'JP',
  kr: 'KR',
  br: 'BR',
  cz: 'CZ',
  sk: 'SK',
  hu: 'HU',
  ro: 'RO',
  gr: 'GR',
  tr: 'TR',
  za: 'ZA',
  sg: 'SG',
};
const BY_LANGUAGE: Readonly<Record<string, CountryCode>> = {
  ja: 'JP',
  ko: 'KR',
  sv: 'SE',
  da: 'DK',
  nb: 'NO',
  no: 'NO',
  fi: 'FI',
  cs: 'CZ',
  hu: 'HU',
  tr: 'TR',
};

/**
 * Country that numbers without a prefix belong to: that of the top-level domain, else of the page's
 * language, else the United States (the specification's formats).
 */
function homeCountry(url: string, language: string): CountryCode {
  const known = likelyCountry(url, language);
  if (known !== 'US') return isSupportedCountry(known) ? known : 'US';
  const tld = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1] ?? '';
  return BY_TLD[tld] ?? BY_LANGUAGE[language.slice(0, 2).toLowerCase()] ?? 'US';
}

/** Links examined on one page. */
const MAX_LINKS = 2_000;

/** Numbers that links dial; one named fax, in its text or beside it, is marked so. */
function readPhoneLinks({ page, survey, voice }: SurveyedPage, phones: PhoneSet): void {
  const links = new Map(survey.links.map((link) => [link.element, link]));
  let left = MAX_LINKS;
  for (const element of page.parsed.anchors) {
    const dialled = dialledText(element.attribs.href ?? '');
    if (dialled === undefined) continue;
    if (--left < 0) break;
    const link = links.get(element);
    if (link !== undefined && voice.isOthers(link)) continue;
    readLink(element, dialled, phones);
  }
}

/** The spelling for readers is that of the link's text, where the text is a number. */
function readLink(element: Element, dialled: string, phones: PhoneSet): void {
  const text = collapse(textOf(element, 200));
  const shown = numberIn(text, phones.reader);
  const before = shown === undefined ? text : text.slice(0, text.indexOf(shown));
  const label = isFaxAfter(text.slice(before.length + (shown?.length ?? 0)))
    ? 'fax'
    : linkLabel(element, before);
  if (shown === undefined) phones.add(dialled, label, 2);
  else phones.add(shown, label, 3);
}

function numberIn(text: string, reader: NumberReader): string | undefined {
  for (const pattern of [WITH_PREFIX, AMERICAN, VANITY, ELSEWHERE, BARE]) {
    const [match] = text.match(pattern) ?? [];
    const read = match === undefined ? undefined : reader.read(match);
    if (read !== undefined) return read.shown;
  }
  return undefined;
}

function linkLabel(element: Element, before: string): PhoneLabel {
  const inText = phoneLabel(before);
  if (inText === 'fax' || inText === 'phone') return inText;
  const { prev, parent, attribs } = element;
  const outer = parent !== null && isTag(parent) ? parent.attribs : {};
  if (/(?:^|[\s_-])fax(?:[\s_-]|$)/i.test(`${marksOf(attribs)} ${marksOf(outer)}`)) return 'fax';
  return phoneLabel(textOfNode(prev)) === 'fax' ? 'fax' : 'phone';
}

function textOfNode(node: ChildNode | null): string {
  if (node === null) return '';
  if (isTag(node)) return textOf(node, 60);
  return 'data' in node ? node.data : '';
}

/** Numbers in text, as candidates: the library decides. All lengths are bounded. */

/** The specification's formats: (312) 555-0142, 312.555.0142, 1-312-555-0142, +1 312 555 0142. */
const AMERICAN =
  /(?<![\d.,/+-])(?:\+?1[\s.-]{0,2})?(?:\([2-9]\d{2}\)|[2-9]\d{2})[\s.\u2010-\u2013-]{0,3}[2-9]\d{2}[\s.\u2010-\u2013-]{1,3}\d{4}(?![\d%]|[.,]\d|-\w)/g;
const WITH_PREFIX = /(?<![\d\w+])(?:\+|00)[1-9]\d{0,2}[\s\d().\u2010-\u2013/-]{6,20}\d/g;
/** Toll-free numbers that spell a word: 1-800-FLOWERS. */
const VANITY =
  /(?<![\w-])(?:1[-. ])?\(?8(?:00|33|44|55|66|77|88)\)?[-. ](?=[-\d]{0,8}[A-Z]{3})[A-Z\d-]{7,9}(?![\w-])/g;
/** Bare digits are a number only where a label says so. */
const BARE = /(?<![\d.,/+-])(?:1?[2-9]\d{9})(?![\d%]|[.,]\d|-\w)/g;
/** National spellings of other countries. */
const ELSEWHERE = /(?<![\d+/.,-])\(?\d[\d\s().\u2010-\u2013/-]{5,18}\d(?![\d%]|[.,]\d|-\w)/g;
/** What `ELSEWHERE` takes for a number that is none. */
const DATE_OR_HOURS =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}\.\d{2}\s?[\u2010-\u2013-]\s?\d{1,2}\.\d{2})(?:\D|$)/;

interface Seen {
  readonly shown: string;
  readonly rank: number;
  readonly isPhone: boolean;
  readonly isFax: boolean;
}

const MAX_TEXT_CHARS = 200;

/** The numbers of a page, each once, with the best of their spellings. */
class PhoneSet {
  readonly reader: NumberReader;
  private readonly seen = new Map<string, Seen>();

  constructor(country: CountryCode) {
    this.reader = new NumberReader(country);
  }

  get isAmerican(): boolean {
    return this.reader.country === 'US' || this.reader.country === 'CA';
  }

  /** The part of the text that is the number; undefined when none is. */
  add(text: string, label: PhoneLabel, rank: PagePhone['rank']): string | undefined {
    const read = this.reader.read(text.slice(0, MAX_TEXT_CHARS));
    if (read === undefined) return undefined;
    const known = this.seen.get(read.number);
    if (known === undefined && this.seen.size >= MAX_PAGE_PHONES) return read.shown;
    const isBetter = known === undefined || rank > known.rank;
    this.seen.set(read.number, {
      shown: isBetter ? collapse(read.shown) : known.shown,
      rank: isBetter ? rank : known.rank,
      isPhone: known?.isPhone === true || label === 'phone',
      isFax: known?.isFax === true || label === 'fax',
    });
    return read.shown;
  }

  list(): readonly PagePhone[] {
    return [...this.seen].map(([number, { shown, rank, isFax, isPhone }]) => ({
      shown,
      number,
      rank,
      called: isPhone ? 'phone' : isFax ? 'fax' : 'nothing',
    }));
  }
}

/** Distinct texts of one page that are read; one takes about 10 µs. */
const MAX_READ = 5_000;
/** Groups of digits after a number, of another one or of a price, that may have to be left off. */
const MAX_GROUPS_OFF = 4;
const AMERICAN_FORM =
  /^(?:\+?1[\s.-]{0,2})?\(?[2-9]\d{2}\)?[\s.\u2010-\u2013-]{1,3}\d{3}[\s.\u2010-\u2013-]{1,3}\d{4}$/;

interface ReadNumber {
  /** The part of the text that is the number. */
  readonly shown: string;
  /** E.164. */
  readonly number: string;
}

/** Reads the numbers of one page; each text once, as menus repeat them. */
class NumberReader {
  private readonly known = new Map<string, ReadNumber | undefined>();

  constructor(readonly country: CountryCode) {}

  /** The longest beginning of a text that is a number. */
  read(text: string): ReadNumber | undefined {
    if (this.known.has(text)) return this.known.get(text);
    if (this.known.size >= MAX_READ) return undefined;
    const number = this.parse(text.trim());
    this.known.set(text, number);
    return number;
  }

  private parse(text: string): ReadNumber | undefined {
    let shown = text;
    for (let off = 0; off <= MAX_GROUPS_OFF; off++) {
      const number = numberOf(shown, this.country);
      if (number !== undefined) return { shown, number };
      const shorter = shown.replace(/[^\d)]{1,20}\(?\d{1,20}\)?$/, '');
      if (shorter === shown) return undefined;
      shown = shorter;
    }
    return undefined;
  }
}

/** A page in British English may still be American: the form of its numbers decides. */
function numberOf(text: string, country: CountryCode): string | undefined {
  const digits = /[A-Z]/.test(text) ? withoutLetters(text) : text;
  const isAmerican = AMERICAN_FORM.test(digits);
  return phoneNumber(digits, country) ?? (isAmerican ? phoneNumber(digits, 'US') : undefined);
}
