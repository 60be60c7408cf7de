import { decodeBody, sniffCharset } from '../charset/sniff-charset.js';
import { tagTraits } from '../dom/tag-traits.js';
import type { FileContent } from '../files/file-content.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { caselessNames, unpackZip, type ZipParts } from '../files/unpack-zip.js';
import {
  child,
  childrenOf,
  decodeXml,
  elementsBelow,
  parseXml,
  type XmlElement,
} from '../files/xml-tree.js';
import { MAX_EPUB_CHAPTERS, MAX_METADATA_CHARS } from '../limits.js';

/** They say where the package is, and what is encrypted. */
const WANTED = /^META-INF\/(?:container|encryption)\.xml$/;

const CHAPTER_TYPES = new Set(['application/xhtml+xml', 'text/html']);

/**
 * The chapters of a book (EPUB 3.3, and 2) in the order of its spine, without its table of contents.
 * @throws {UnreadableFile}
 */
export function readEpub(bytes: Uint8Array): FileContent {
  const parts = unpackZip(bytes, WANTED);
  const path = packagePath(parts);
  const [data] = partsNamed(bytes, [path]);
  if (data === undefined)
    throw new UnreadableFile('malformed', 'is damaged: its package is missing');
  const book = parseXml(decodeXml(data));
  const chapters = chapterNames(book, path);
  refuseEncrypted(parts, chapters);
  const read = partsNamed(bytes, chapters.slice(0, MAX_EPUB_CHAPTERS));
  const unread = read.includes(undefined) ? 'unreadable_parts' : undefined;
  const title = child(child(book, 'opf:metadata'), 'dc:title')?.text.trim();
  return {
    html: chaptersHtml(read),
    title: title === '' ? undefined : title?.slice(0, MAX_METADATA_CHARS),
    cut: chapters.length > MAX_EPUB_CHAPTERS ? 'max_parts' : unread,
  };
}

/** The parts of these names, whatever their endings, or else of the names in another case; all else stays packed. */
function partsNamed(bytes: Uint8Array, names: readonly string[]): (Uint8Array | undefined)[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const parts = unpackZip(bytes, { test: (name) => wanted.has(name.toLowerCase()) });
  const nameOf = caselessNames(parts);
  return names.map((name) => parts.get(nameOf(name)));
}

function* chaptersHtml(chapters: readonly (Uint8Array | undefined)[]): Generator<string> {
  for (const data of chapters) {
    if (data === undefined) continue;
    yield closedTags(decodeBody(data, sniffCharset(data, 'application/xhtml+xml')));
  }
}

/** XHTML for a reader of HTML, to whom `<title/>` only begins an element. */
const closedTags = (xhtml: string): string =>
  xhtml.replace(SELF_CLOSED, (tag, name: string, attributes: string) => {
    const isInValue = /["']/.test(attributes.replace(QUOTED, ''));
    const isLeft = isInValue || tagTraits(name.toLowerCase()).isVoid;
    return isLeft ? tag : `<${name}${attributes}></${name}>`;
  });

const SELF_CLOSED = /<([A-Za-z][\w:.-]*)(?=[\s/])([^<>]*)\/>/g;
const QUOTED = /"[^"]*"|'[^']*'/g;

/** The first package that the container names (EPUB OCF 3.3, 4.2.6.3.1). */
function packagePath(parts: ZipParts): string {
  const container = parts.get('META-INF/container.xml');
  const root = container && parseXml(decodeXml(container));
  const [file] = elementsBelow(root, 'rootfile');
  return file?.attributes['full-path'] ?? '';
}

/** Names of the chapters' parts; each once, however often the spine names it. */
function chapterNames(book: XmlElement, path: string): string[] {
  const items = new Map<string, XmlElement['attributes']>();
  for (const { attributes } of childrenOf(child(book, 'opf:manifest'), 'opf:item'))
    items.set(attributes.id ?? '', attributes);
  const names = new Set<string>();
  for (const { attributes } of childrenOf(child(book, 'opf:spine'), 'opf:itemref')) {
    const item = items.get(attributes.idref ?? '');
    if (item === undefined || !CHAPTER_TYPES.has(item['media-type'] ?? '')) continue;
    const isContents = /(?:^|\s)nav(?:\s|$)/.test(item.properties ?? '');
    if (!isContents) names.add(partName(item.href ?? '', path));
  }
  return [...names];
}

/** An address relative to the package, as the name of a part. */
function partName(address: string, from: string): string {
  const path = URL.parse(address, `part:///${from}`)?.pathname.slice(1) ?? address;
  try {
    return decodeURIComponent(path);
  } catch {
    // A per cent sign that is part of a name.
    return path;
  }
}

/** Fonts are often obfuscated; chapters are encrypted to bind them to a reader. */
function refuseEncrypted(parts: ZipParts, chapters: readonly string[]): void {
  const names = new Set(chapters.map((name) => name.toLowerCase()));
  const data = parts.get('META-INF/encryption.xml');
  const root = data && parseXml(decodeXml(data));
  const isChapter = ({ attributes }: XmlElement): boolean =>
    names.has(partName(attributes.URI ?? '', '').toLowerCase());
  if (elementsBelow(root, 'enc:CipherReference').some(isChapter))
    throw new UnreadableFile('encrypted', 'is encrypted');
}
