import { type Element } from 'domhandler';
import { type LayerFields } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { mapPosition, isMapLink } from '../values/map-position.js';
import { readPosition } from '../values/numbers.js';
import { isOwn, type TextPage } from './text-page.js';

type Position = { readonly lat: number; readonly lng: number };

/** Coordinates from meta elements, maps and map links, or attributes, in this order. */
export function findPosition(page: TextPage, described: readonly Element[]): LayerFields {
  return fromMeta(described) ?? fromMaps(page) ?? fromAttributes(page) ?? {};
}

const located = ({ lat, lng }: Position, path: string): LayerFields => ({
  lat: { value: lat, path },
  lng: { value: lng, path },
});

function fromMeta(described: readonly Element[]): LayerFields | undefined {
  for (const { name, attribs } of described) {
    const key = name === 'meta' ? (attribs.name ?? '').trim().toLowerCase() : '';
    if (key !== 'geo.position' && key !== 'icbm') continue;
    const [lat, lng] = (attribs.content ?? '').slice(0, 100).split(/[;,]/);
    const position = lat !== undefined && lng !== undefined ? readPosition(lat, lng) : undefined;
    if (position !== undefined) return located(position, `meta[name="${attribs.name ?? ''}"]`);
  }
  return undefined;
}

function fromMaps(page: TextPage): LayerFields | undefined {
  for (const link of [...page.survey.frames, ...page.survey.links]) {
    if (!isMapLink(link.href) || !isOwn(link, page)) continue;
    const position = mapPosition(link.href);
    if (position !== undefined) return located(position, selectorOf(link.element));
  }
  return undefined;
}

/** Maps of many places carry many; only a single place can be this page's. */
function fromAttributes({ survey }: TextPage): LayerFields | undefined {
  const found = survey.positions.flatMap((element) => {
    const { attribs } = element;
    const lng =
      attribs['data-lng'] ??
      attribs['data-lon'] ??
      attribs['data-long'] ??
      attribs['data-longitude'];
    const position = readPosition(attribs['data-lat'] ?? attribs['data-latitude'] ?? '', lng ?? '');
    return position === undefined ? [] : [{ position, element }];
  });
  const places = new Set(found.map(({ position }) => `${position.lat} ${position.lng}`));
  const [first] = found;
  return places.size === 1 && first
    ? located(first.position, selectorOf(first.element))
    : undefined;
}
