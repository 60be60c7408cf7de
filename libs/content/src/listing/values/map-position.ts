import { readPosition } from './numbers.js';

type Position = { readonly lat: number; readonly lng: number };

const NUMBER = '(-?\\d{1,3}\\.\\d{2,15})';
const COMMA = '(?:,|%2C|;|~)(?:\\s|\\+|%20)?';
/** How map services write a place into an address; latitude first unless said. */
const PATTERNS: readonly (readonly [RegExp, 'lat-lng' | 'lng-lat'])[] = [
  [new RegExp(`!3d${NUMBER}!4d${NUMBER}`), 'lat-lng'],
  // The middle of an embedded map; of a whole region (`!1d` metres) it is no place.
  [new RegExp(`(?<!!1d\\d{6,9}(?:\\.\\d{1,20})?)!2d${NUMBER}!3d${NUMBER}`), 'lng-lat'],
  [
    new RegExp(
      `[?&](?:q|query|ll|daddr|destination|markers|cp|center|coordinate)=(?:[a-z]+:[a-z\\d]+(?:\\||%7C))?(?:loc:)?${NUMBER}${COMMA}${NUMBER}`,
      'i',
    ),
    'lat-lng',
  ],
  [new RegExp(`/@${NUMBER},${NUMBER}`), 'lat-lng'],
  [new RegExp(`^geo:${NUMBER},${NUMBER}`), 'lat-lng'],
  [new RegExp(`[?&]mlat=${NUMBER}&(?:amp;)?mlon=${NUMBER}`), 'lat-lng'],
  [new RegExp(`#map=\\d{1,2}/${NUMBER}/${NUMBER}`), 'lat-lng'],
  [new RegExp(`/(?:dir|search|place)/+(?:[^/]{1,100}/)?${NUMBER}${COMMA}${NUMBER}`), 'lat-lng'],
  [new RegExp(`^\\s*${NUMBER}\\s?[,;]\\s?${NUMBER}\\s*$`), 'lat-lng'],
];

const MAX_MAP_LINK_CHARS = 2_000;

/** The place a map link, a `geo:` address or a bare pair of coordinates points to. */
export function mapPosition(link: string): Position | undefined {
  const text = link.slice(0, MAX_MAP_LINK_CHARS);
  for (const [pattern, order] of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [, first = '', second = ''] = match;
    return order === 'lat-lng' ? readPosition(first, second) : readPosition(second, first);
  }
  return undefined;
}

const MAP_HOST =
  /^(?:https?:)?\/\/(?:(?:www\.|maps\.)?google\.[a-z.]{2,6}\/maps|maps\.google\.|maps\.app\.goo\.gl|goo\.gl\/maps|maps\.apple\.com|(?:www\.)?bing\.com\/maps|(?:www\.)?openstreetmap\.org|(?:www\.)?mapquest\.com|maps\.googleapis\.com|api\.mapbox\.com|(?:www\.)?waze\.com|ul\.waze\.com)|^geo:/i;

export const isMapLink = (link: string): boolean => MAP_HOST.test(link);

/** The address that a map link searches for, as text. */
export function mapQuery(link: string): string | undefined {
  const url = URL.parse(link.startsWith('//') ? `https:${link}` : link);
  if (url === null || link.length > MAX_MAP_LINK_CHARS) return undefined;
  for (const name of ['daddr', 'destination', 'address', 'query', 'q', 'where1']) {
    const value = url.searchParams.get(name);
    if (value !== null && /\d/.test(value) && /[A-Za-z]/.test(value)) return value;
  }
  const place = /\/(?:place|search|dir\/)\/?([^/@]{5,200})/.exec(url.pathname)?.[1];
  return place === undefined ? undefined : decoded(place.replaceAll('+', ' '));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Half an escape: the link leads nowhere readable.
    return undefined;
  }
}
