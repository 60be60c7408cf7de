import { type PagePhone } from '../company-page.js';
import { type SurveyedPage } from '../page/page-survey.js';
import { homeCountry } from './home-country.js';
import {
  AMERICAN,
  BARE,
  DATE_OR_HOURS,
  ELSEWHERE,
  VANITY,
  WITH_PREFIX,
} from './number-patterns.js';
import {
  hasPhoneWord,
  isFaxAfter,
  isOthersPhone,
  MAX_PHONE_LABEL_CHARS,
  type PhoneLabel,
  phoneLabel,
} from './phone-labels.js';
import { readPhoneLinks } from './phone-links.js';
import { PhoneSet } from './phone-set.js';

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
