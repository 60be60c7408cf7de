import { type Element } from 'domhandler';
import { type LayerFields } from '../listing-values.js';
import { type PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { readAddressText } from '../values/address-text.js';
import { isMapLink, mapQuery } from '../values/map-position.js';
import { type AddressParts, checkAddress } from '../values/postal-address.js';
import { isFrontPage } from '../values/web-address.js';
import { nameLetters } from '../entity/page-identity.js';
import { isOwn, type TextPage } from './text-page.js';

/** Lines before the one with the state that the street may be in. */
const LINES_BEFORE = 3;
const MAX_CANDIDATES = 100;
const LABEL =
  /^(?:our )?(?:address|location|visit|visit us|find us|where|adresse|anschrift|office|headquarters|directions)\b/i;
const HINT = /\d{4,5}|,\s?[A-Z]{2}\b|[A-Z]\d[A-Z\d]?\s?\d[A-Z]{2}|,\s[A-Z][a-z]+\s*$/;

interface Sighting {
  readonly parts: AddressParts;
  readonly element: Element;
  readonly points: number;
}

/** Street, city, state and ZIP code shown on the page, or searched for by its map link. */
export function findAddress(page: TextPage): LayerFields {
  const sightings = [...inAddressElements(page), ...inLines(page), ...inMapLinks(page)];
  let best: (Sighting & { readonly total: number }) | undefined;
  for (const sighting of sightings) {
    const total = pointsOf(sighting, page);
    if (best === undefined || total > best.total) best = { ...sighting, total };
  }
  return best === undefined ? {} : fieldsOf(best);
}

function fieldsOf({ parts, element }: Sighting): LayerFields {
  const path = selectorOf(element);
  const checked = checkAddress(parts);
  const names = ['address', 'city', 'state', 'zip', 'country'] as const;
  return Object.fromEntries(
    names.flatMap((name) =>
      checked[name] === undefined ? [] : [[name, { value: checked[name], path }]],
    ),
  );
}

/** Whole addresses first; among several the one whose town the page is named for. */
function pointsOf({ parts, points }: Sighting, { identity }: TextPage): number {
  const city = nameLetters(parts.city ?? '');
  const about =
    nameLetters(identity.h1 + identity.title) +
    nameLetters(URL.parse(identity.url)?.pathname ?? '');
  const isNamed = city.length > 2 && about.includes(city);
  return (
    points +
    (parts.address === undefined ? 0 : 10) +
    (parts.zip === undefined ? 0 : 3) +
    (isNamed ? 3 : 0)
  );
}

function inAddressElements(page: TextPage): readonly Sighting[] {
  const texts = new Map<Element, string[]>();
  for (const line of page.survey.lines) {
    const { addressElement, text } = line;
    if (addressElement === null || !isOwn(line, page)) continue;
    const lines = texts.get(addressElement) ?? [];
    if (lines.length < 12) texts.set(addressElement, [...lines, text]);
  }
  return [...texts]
    .slice(0, MAX_CANDIDATES)
    .flatMap(([element, lines]) => read(lines.join(', '), element, 4, page));
}

function inLines(page: TextPage): readonly Sighting[] {
  const { lines } = page.survey;
  const sightings: Sighting[] = [];
  for (let index = 0; index < lines.length && sightings.length < MAX_CANDIDATES; index++) {
    const line = lines[index];
    if (line === undefined || !HINT.test(line.text) || !isOwn(line, page)) continue;
    sightings.push(...atLine(lines, index, line, page));
  }
  return sightings;
}

/** The line alone, else with those before it that may hold the street. */
function atLine(
  lines: readonly PageLine[],
  index: number,
  line: PageLine,
  page: TextPage,
): readonly Sighting[] {
  const label = lines
    .slice(Math.max(0, index - LINES_BEFORE), index)
    .some(({ text }) => LABEL.test(text));
  const points = (label || LABEL.test(line.text) ? 2 : 0) + placePoints(line, page);
  const text = line.text.length > 300 ? '' : line.text;
  const alone = read(text === '' ? aroundState(line.text) : text, line.element, points, page);
  if (alone.some(({ parts }) => parts.address !== undefined)) return alone;
  for (let count = 1; count <= LINES_BEFORE && text !== ''; count++) {
    const before = lines
      .slice(Math.max(0, index - count), index)
      .map((one) => one.text.slice(0, 120));
    const joined = read([...before, text].join(', '), line.element, points, page);
    if (joined.some(({ parts }) => parts.address !== undefined)) return joined;
  }
  return alone;
}

/** The front page has its address at the foot; elsewhere the foot may name the head office. */
function placePoints({ region }: PageLine, { identity }: TextPage): number {
  return region === (isFrontPage(identity.url) ? 'foot' : 'body') ? 1 : 0;
}

/** The text around the first state and ZIP code of a paragraph. */
function aroundState(text: string): string {
  const match = /[A-Z]{2}\s\d{5}/.exec(text);
  return match === null ? '' : text.slice(Math.max(0, match.index - 150), match.index + 12);
}

function inMapLinks(page: TextPage): readonly Sighting[] {
  return [...page.survey.links, ...page.survey.frames]
    .filter((link) => isMapLink(link.href) && isOwn(link, page))
    .slice(0, MAX_CANDIDATES)
    .flatMap(({ href, element }) => read(mapQuery(href) ?? '', element, 0, page));
}

function read(text: string, element: Element, points: number, page: TextPage): readonly Sighting[] {
  const parts = text === '' ? undefined : readAddressText(text, page.identity.country);
  return parts === undefined ? [] : [{ parts, element, points }];
}
