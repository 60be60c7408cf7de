import { isTag, type Element } from 'domhandler';
import { type Found } from '../listing-values.js';
import { phoneKey, readPhone } from '../values/phone.js';
import { selectorOf } from '../page-text/selector-of.js';
import { collapse, textOf } from '../../dom/walk.js';
import { isOwn, type TextPage } from './text-page.js';

const NORTH_AMERICAN =
  /(?<![\d.-])(?:\+?1[\s.-]?)?(?:\([2-9]\d{2}\)|[2-9]\d{2})[\s.\u2010-\u2013-]{0,3}[2-9]\d{2}[\s.\u2010-\u2013-]{1,3}\d{4}(?![\d-])(?:\s{0,2}(?:x|ext\.?)\s{0,2}\d{1,6})?/gi;
const WITH_PREFIX = /\+\d{1,3}[\s\d().\-/]{6,20}\d/g;
const ELSEWHERE = /(?<![\d+/.-])\(?0\d[\d\s()./-]{5,18}\d(?![\d.-])/g;
const FAX = /(?:fax|\bf\b)\s{0,2}(?:no|number|#)?\.?\s{0,2}[:.]?\s{0,2}(?:\+?1[\s.-]?)?$/i;
const PHONE_LABEL =
  /(?:phone|tel|telefon|teléfono|call|call us|mobile|office|\b[pt])\b\s{0,2}(?:no|number|us|today|now|#)?\.?\s{0,2}[:.]?\s{0,2}$/i;
const MAX_NUMBERS = 200;

interface Sighting {
  readonly shown: string;
  readonly element: Element;
  readonly points: number;
}

/** The number of the page: the most prominent one, spelled as the page shows it. */
export function findPhone(page: TextPage): Found<string> | undefined {
  const best = new Map<string, Sighting & { order: number }>();
  [...linkSightings(page), ...textSightings(page)].forEach((sighting, order) => {
    const key = phoneKey(sighting.shown, page.identity.country);
    const known = best.get(key);
    const points = sighting.points + (known?.points ?? 0);
    best.set(key, { ...(known ?? { ...sighting, order }), points });
  });
  const [first] = [...best.values()].sort((a, b) => b.points - a.points || a.order - b.order);
  return first && { value: first.shown, path: selectorOf(first.element) };
}

function linkSightings(page: TextPage): readonly Sighting[] {
  const sightings: Sighting[] = [];
  const { country } = page.identity;
  for (const { href, element, region } of page.survey.links) {
    if (!/^\s*tel:/i.test(href) || !isOwn({ region }, page) || sightings.length >= MAX_NUMBERS)
      continue;
    const target = readPhone(decoded(href), page.identity.country);
    const shown = readPhone(textOf(element, 200), page.identity.country);
    const isSame =
      target !== undefined &&
      shown !== undefined &&
      phoneKey(shown, country) === phoneKey(target, country);
    const value = isSame || target === undefined ? shown : (readable(target, page) ?? target);
    if (value !== undefined && !isFax(element))
      sightings.push({ shown: value, element, points: 5 });
  }
  return sightings;
}

/** The target of a link is for machines; people get the national spelling. */
const readable = (target: string, page: TextPage): string | undefined =>
  readPhone(target.replace(/[^\d+x]/g, ''), page.identity.country);

function isFax({ prev, parent }: Element): boolean {
  const before = prev !== null && 'data' in prev ? prev.data : '';
  const outer = parent !== null && isTag(parent) ? (parent.attribs.class ?? '') : '';
  return FAX.test(collapse(before.slice(-30))) || /\bfax\b/i.test(outer.slice(0, 200));
}

function textSightings(page: TextPage): readonly Sighting[] {
  const sightings: Sighting[] = [];
  let labelBefore = '';
  for (const line of page.survey.lines) {
    if (sightings.length >= MAX_NUMBERS) break;
    if (isOwn(line, page)) sightings.push(...inLine(line.text, labelBefore, line.element, page));
    labelBefore = line.text.length <= 30 ? line.text : '';
  }
  return sightings;
}

function inLine(
  text: string,
  labelBefore: string,
  element: Element,
  page: TextPage,
): readonly Sighting[] {
  return numbersIn(text, labelBefore, page.identity.country).flatMap(({ shown, index }) => {
    const before = text.slice(Math.max(0, index - 30), index);
    const label = before.trim() === '' ? labelBefore : before;
    const value = FAX.test(label) ? undefined : readAnyPhone(shown, page.identity.country);
    return value === undefined
      ? []
      : [{ shown: value, element, points: PHONE_LABEL.test(label) ? 4 : 2 }];
  });
}

function numbersIn(
  text: string,
  labelBefore: string,
  country: string,
): readonly { readonly shown: string; readonly index: number }[] {
  const matches = [...text.matchAll(NORTH_AMERICAN), ...text.matchAll(WITH_PREFIX)];
  const isElsewhere = country !== 'US' && country !== 'CA';
  const hasLabel = /tel|phone|call|fon|fax|ruf|appel|llam/i.test(text + labelBefore);
  const local = isElsewhere && hasLabel ? [...text.matchAll(ELSEWHERE)] : [];
  return [...matches, ...local].map((match) => ({ shown: match[0], index: match.index }));
}

/** A page in British English may still be American: its numbers decide. */
const readAnyPhone = (shown: string, country: string): string | undefined =>
  readPhone(shown, country) ?? readPhone(shown, 'US');

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // A stray percent sign: the digits are there all the same.
    return href;
  }
}
