import { type Element } from 'domhandler';
import { MAX_LINK_URL_CHARS } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { imageSource, INLINED_IMAGE, isTrackingPixel } from '../markdown/image-source.js';
import { escapeHtmlAttribute } from './escape-html.js';
import { isKeptAttribute } from './kept-elements.js';

/** Schemes that a link may lead to; none of them runs anything in the page that shows it. */
const LINK_SCHEME = /^(?:https?|ftp|mailto|tel|sms|geo|xmpp|irc|magnet|callto):/;
const CITING = new Set(['blockquote', 'q', 'del', 'ins']);

/** Attributes of an element that is written as `name`: the kept ones, and its address. */
export function cleanAttributes(name: string, element: Element, resolver: UrlResolver): string {
  const { attribs } = element;
  let written = '';
  for (const attribute in attribs) {
    const value = attribs[attribute];
    if (value !== undefined && isKeptAttribute(name, attribute))
      written += attributeText(attribute, value);
  }
  if (name === 'a') written += addressText('href', linkTarget(attribs.href, resolver));
  if (CITING.has(name)) written += addressText('cite', webTarget(attribs.cite, resolver));
  return written;
}

export function attributeText(name: string, value: string): string {
  return ` ${name}="${escapeHtmlAttribute(value)}"`;
}

const addressText = (name: string, address: string | undefined): string =>
  address === undefined ? '' : attributeText(name, address);

function linkTarget(reference: string | undefined, resolver: UrlResolver): string | undefined {
  const address = reference === undefined ? undefined : resolver.resolve(reference);
  return address !== undefined && LINK_SCHEME.test(address) ? bounded(address) : undefined;
}

function webTarget(reference: string | undefined, resolver: UrlResolver): string | undefined {
  const address = reference === undefined ? undefined : resolver.resolveWeb(reference);
  return address === undefined ? undefined : bounded(address);
}

/** Escapes make an address longer than its reference was. */
const bounded = (address: string): string | undefined =>
  address.length > MAX_LINK_URL_CHARS ? undefined : address;

export interface CleanImageOptions {
  readonly resolver: UrlResolver;
  readonly removeBase64Images: boolean;
}

/** The image that a reader sees, lazy loaders' too; '' for tracking pixels and nameless placeholders. */
export function cleanImage(image: Element, options: CleanImageOptions): string {
  if (isTrackingPixel(image)) return '';
  const { alt = '', title, width, height } = image.attribs;
  const source = imageTarget(image, options);
  if (source === undefined && alt.trim() === '') return '';
  const size = [sizeText('width', width), sizeText('height', height)].join('');
  const named = title === undefined ? '' : attributeText('title', title);
  return `<img${addressText('src', source)}${attributeText('alt', alt)}${named}${size}>`;
}

function imageTarget(
  image: Element,
  { resolver, removeBase64Images }: CleanImageOptions,
): string | undefined {
  const source = imageSource(image);
  if (source === undefined) return undefined;
  if (!/^data:/i.test(source)) return webTarget(source, resolver);
  return !removeBase64Images && INLINED_IMAGE.test(source) ? source : undefined;
}

const sizeText = (name: string, value: string | undefined): string =>
  value !== undefined && /^\d{1,5}$/.test(value) ? attributeText(name, value) : '';
