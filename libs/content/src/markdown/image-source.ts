import { Element } from 'domhandler';
import { collapse } from '../dom/walk.js';
import { MAX_INLINED_IMAGE_CHARS, MAX_INLINED_IMAGES_CHARS } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { escapeText } from './escape-text.js';
import { type LinkAddresses } from './link-addresses.js';

/** Where lazy loaders keep the address until the image comes into view. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-url'];
const SOURCE_SETS = ['srcset', 'data-srcset', 'data-lazy-srcset'];

/** Where images point to. */
export interface ImageTargets {
  readonly resolver: UrlResolver;
  readonly inlined: InlinedImages;
  readonly addresses: LinkAddresses;
}

/** Replaces the data of an inlined image, as other services do. */
const REMOVED_IMAGE = '<Base64-Image-Removed>';
/** Data URIs of pictures, which run nothing. */
export const INLINED_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp|x-icon|svg\+xml)[;,]/i;
/** A shorter one without a description is a lazy loader's placeholder. */
const LEAST_NAMELESS_CHARS = 1_000;

/** What the Markdown of a page has for its inlined images (data URIs), in their order. */
export class InlinedImages {
  private leftChars = MAX_INLINED_IMAGES_CHARS;

  constructor(private readonly isRemoved: boolean) {}

  /** Its data within bounds, or what replaces them; undefined: a nameless one that says nothing. */
  targetOf(source: string, isNameless: boolean): string | undefined {
    const kept = this.isRemoved ? undefined : this.dataOf(source, isNameless);
    if (kept !== undefined || isNameless) return kept;
    return this.isRemoved ? REMOVED_IMAGE : dataMarker(source);
  }

  private dataOf(source: string, isNameless: boolean): string | undefined {
    const isPicture = source.length <= MAX_INLINED_IMAGE_CHARS && INLINED_IMAGE.test(source);
    if (!isPicture || (isNameless && source.length < LEAST_NAMELESS_CHARS)) return undefined;
    // SVG may be written as it is; what ends a target of Markdown, or a cell of a table, is escaped.
    const data = source.replace(/[\s<>()"`|&\\]/g, percentEncoded);
    if (data.length > this.leftChars) return undefined;
    this.leftChars -= data.length;
    return data;
  }
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Markdown of an image; undefined for tracking pixels and nameless placeholders. */
export function imageMarkdown(
  image: Element,
  { resolver, inlined, addresses }: ImageTargets,
): string | undefined {
  const { attribs } = image;
  if (isTrackingPixel(image)) return undefined;
  const alt = collapse(attribs.alt ?? '');
  if (EMOJI.test(alt)) return alt;
  const label = escapeText(alt, 32, 32, true);
  const source = imageSource(image);
  if (source === undefined || addresses.areOmitted) return alt === '' ? undefined : label;
  if (isDataUri(source)) {
    const target = inlined.targetOf(source, alt === '');
    return target === undefined ? undefined : `![${label}](${target})`;
  }
  const address = resolver.resolveWeb(source);
  if (address === undefined) return alt === '' ? undefined : label;
  return `![${label}]${addresses.behind(address, titleOf(image, alt))}`;
}

/** A title that says more than the description. */
function titleOf({ attribs }: Element, alt: string): string {
  const title = collapse(attribs.title ?? '');
  return title === alt ? '' : title;
}

const EMOJI =
  /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u;

/** It counts visits; no reader sees it. */
export function isTrackingPixel({ attribs }: Element): boolean {
  return isPixel(attribs.width) && isPixel(attribs.height);
}

const isPixel = (size: string | undefined): boolean =>
  size !== undefined && /^\s*[01](?:px)?\s*$/.test(size);

const isDataUri = (source: string): boolean => /^\s*data:/i.test(source);

/** Type of an inlined image without its megabytes. */
function dataMarker(source: string): string {
  return /^\s*(data:[\w.+/-]{0,40})/i.exec(source)?.[1] ?? 'data:';
}

/** Address of the image as it is written: the one a lazy loader loads, the largest of a set. */
export function imageSource(image: Element): string | undefined {
  const { attribs } = image;
  // A lazy loader's image has a placeholder as its source, inlined or not.
  for (const name of LAZY_SOURCES) {
    const lazy = nonBlank(attribs[name]);
    if (lazy !== undefined && !isDataUri(lazy)) return lazy;
  }
  const best = bestOfSets(image);
  if (best !== undefined) return best;
  const own = nonBlank(attribs.src);
  if (own !== undefined && !isDataUri(own)) return own;
  return bestOfPicture(image) ?? own;
}

const nonBlank = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

function bestOfSets({ attribs }: Element): string | undefined {
  for (const name of SOURCE_SETS) {
    const set = attribs[name];
    const best = set === undefined ? undefined : bestCandidate(set);
    if (best !== undefined) return best;
  }
  return undefined;
}

/** Sources examined before an img in a picture. */
const MAX_PICTURE_SOURCES = 20;

function bestOfPicture(image: Element): string | undefined {
  let sibling = image.prev;
  for (let seen = 0; sibling !== null && seen < MAX_PICTURE_SOURCES; seen++) {
    if (sibling instanceof Element && sibling.name === 'source') {
      const best = bestOfSets(sibling);
      if (best !== undefined) return best;
    }
    sibling = sibling.prev;
  }
  return undefined;
}

/** Candidate of a srcset with the largest width or density. */
function bestCandidate(set: string): string | undefined {
  let best: string | undefined;
  let bestSize = -1;
  for (const { address, size } of candidatesOf(set)) {
    if (isDataUri(address) || size <= bestSize) continue;
    best = address;
    bestSize = size;
  }
  return best;
}

interface Candidate {
  readonly address: string;
  /** Width or density; 1 where none is given. */
  readonly size: number;
}

/** Candidates read of one srcset: pages have a dozen. */
const MAX_CANDIDATES = 1_000;
const ADDRESS = /[\s,]*([^\s,]\S*)/y;
const DESCRIPTOR = /[^,]*/y;
const SIZE = /^\s*(?:([\d.]+)[wx]\s*)?$/;

/**
 * The candidates in a srcset (HTML, 4.8.4.3.10): an address ends at white space and may hold commas,
 * but for those at its end. One with another descriptor than a width or a density is left out.
 */
function candidatesOf(set: string): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let at = 0;
  while (candidates.length < MAX_CANDIDATES) {
    const written = matchAt(ADDRESS, set, at);
    const address = written?.[1];
    if (written === null || address === undefined) break;
    at += written[0].length;
    const descriptor = address.endsWith(',') ? '' : (matchAt(DESCRIPTOR, set, at)?.[0] ?? '');
    at += descriptor.length;
    const size = SIZE.exec(descriptor);
    if (size === null) continue;
    const bare = address.replace(/(?<!,),+$/, '');
    candidates.push({ address: bare, size: size[1] === undefined ? 1 : Number(size[1]) });
  }
  return candidates;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
