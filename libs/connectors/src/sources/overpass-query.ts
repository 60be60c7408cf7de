import { businessKind, type PlaceTags } from '../businesses/business-kinds.js';

/** Degrees: south, west, north, east. */
export type BoundingBox = readonly [number, number, number, number];

/** Where Overpass searches. */
export type SearchArea =
  | { readonly kind: 'box'; readonly box: BoundingBox }
  /** A town or region by its name, as OpenStreetMap writes it. */
  | { readonly kind: 'named'; readonly name: string };

/** Memory that a query may use on the server. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * A query of the Overpass language for the places of a kind that have a name. An unknown kind is searched for in names.
 * Texts of callers become quoted strings; nothing else of a query comes from them.
 */
export function overpassQuery(
  query: string,
  area: SearchArea,
  { limit, timeoutSeconds }: { readonly limit: number; readonly timeoutSeconds: number },
): string {
  const kind = businessKind(query);
  const filters = kind === null ? [nameFilter(query)] : kind.tags.map(tagFilter);
  const within = area.kind === 'box' ? `(${area.box.map(coordinate).join(',')})` : '(area.a)';
  const named = area.kind === 'named' ? [areaOf(area.name)] : [];
  return [
    `[out:json][timeout:${Math.max(1, Math.floor(timeoutSeconds))}][maxsize:${MAX_BYTES}];`,
    ...named,
    `(${filters.map((filter) => `nwr["name"]${filter}${within};`).join('')});`,
    `out tags center ${limit};`,
  ].join('');
}

function areaOf(name: string): string {
  const town = name.split(',')[0]?.trim() ?? '';
  return `area["boundary"="administrative"]["name"=${quoted(town)}]->.a;`;
}

function tagFilter(tags: PlaceTags): string {
  return tags
    .map(({ key, values }) =>
      values.length === 1
        ? `[${quoted(key)}=${quoted(values[0] ?? '')}]`
        : `[${quoted(key)}~${quoted(`^(${values.join('|')})$`)}]`,
    )
    .join('');
}

/** Every character that a pattern or a string of the language gives a meaning is escaped. */
function nameFilter(query: string): string {
  const words = query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}&' -]+/gu, ' ')
    .trim();
  return `["name"~${quoted(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))},i]`;
}

function quoted(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f]/g, ' ');
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function coordinate(degrees: number): string {
  return degrees.toFixed(5);
}
