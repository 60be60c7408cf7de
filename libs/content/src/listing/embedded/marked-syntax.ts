import { type Element } from 'domhandler';
import { bareName } from '../thing.js';

/** How a syntax says in attributes that an element is an item or the value of a property. */
export interface MarkedSyntax {
  /** Types of the item the element opens, or undefined when it opens none. */
  itemTypes(attribs: Element['attribs']): readonly string[] | undefined;
  properties(attribs: Element['attribs']): readonly string[];
}

const names = (text: string | undefined): readonly string[] =>
  text === undefined
    ? []
    : text
        .split(/\s+/)
        .map(bareName)
        .filter((name) => name !== '')
        .slice(0, 10);

/** HTML standard, microdata. */
export const MICRODATA: MarkedSyntax = {
  itemTypes: (attribs) =>
    attribs.itemscope === undefined && attribs.itemtype === undefined
      ? undefined
      : names(attribs.itemtype),
  properties: (attribs) => names(attribs.itemprop),
};

/** RDFa Lite, and the `v:` terms of data-vocabulary.org that it replaced. */
export const RDFA: MarkedSyntax = {
  itemTypes: (attribs) => (attribs.typeof === undefined ? undefined : names(attribs.typeof)),
  properties({ property, rel, typeof: types }) {
    if (property === undefined) return types === undefined ? [] : names(rel);
    // Open Graph's meta elements use the same attribute.
    return /^\s*(?:og|fb|article|business|place|product|twitter|al):/i.test(property)
      ? []
      : names(property);
  },
};

const URL_SOURCES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
  iframe: 'src',
  embed: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
};

/** Properties that mean their text, not the address of the link around it. */
const TEXTUAL = new Set(
  'name telephone description streetAddress addressLocality addressRegion postalCode priceRange ratingValue reviewCount ratingCount openingHours'.split(
    ' ',
  ),
);

/** The value an element gives by an attribute; undefined when its text is the value. */
export function attributeValue({ name, attribs }: Element, property: string): string | undefined {
  const content = attribs.content ?? (name === 'time' ? attribs.datetime : undefined);
  if (content !== undefined && content.trim() !== '') return content;
  const source = URL_SOURCES[name];
  if (source === undefined) return undefined;
  const address = attribs[source] ?? attribs['data-src'];
  if (TEXTUAL.has(property)) {
    const target = /^\s*tel:(.+)$/i.exec(address ?? '')?.[1];
    return property === 'telephone' ? target : undefined;
  }
  return address;
}
