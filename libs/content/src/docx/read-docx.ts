import { zipSync } from 'fflate';
import type { Document } from 'domhandler';
import { parseHtml } from '../dom/parse-html.js';
import { failedFile, type FileOptions, type FileResult } from '../files/file-result.js';
import { documentText } from '../files/plain-text.js';
import { MAX_FILE_CHARS, MAX_LINKS, MAX_METADATA_CHARS } from '../limits.js';
import { UrlResolver, isWebAddress } from '../links/url-resolver.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import { decodeXml, unpackDocx, type DocxParts } from './unpack-docx.js';
import { collapse, textOf, walk } from '../dom/walk.js';

type Mammoth = typeof import('mammoth');

/** Styles that mammoth does not know by itself. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "r[style-name='HTML Code'] => code",
  "r[style-name='Verbatim Char'] => code",
];

/**
 * Reads a DOCX by way of HTML, so that its Markdown is as a page's. mammoth sees only an archive
 * made here of checked parts, never the sender's. Never throws.
 */
export async function readDocx(bytes: Uint8Array, options: FileOptions): Promise<FileResult> {
  const unpacked = unpackDocx(bytes);
  if (!unpacked.ok) return unpacked;
  const mammoth = await loadMammoth();
  if (mammoth === undefined) {
    return failedFile('docx_unavailable', 'DOCX parsing not available');
  }
  const html = await toHtml(mammoth, unpacked.parts);
  return html === undefined
    ? failedFile('malformed', 'The DOCX is damaged and cannot be read')
    : present(html, unpacked.parts, options.maxChars ?? MAX_FILE_CHARS);
}

async function loadMammoth(): Promise<Mammoth | undefined> {
  try {
    const loaded = (await import('mammoth')) as { readonly default?: Mammoth } & Mammoth;
    return loaded.default ?? loaded;
  } catch {
    // An optional component: its absence is an answer, not an error.
    return undefined;
  }
}

async function toHtml(mammoth: Mammoth, parts: DocxParts): Promise<string | undefined> {
  try {
    const archive = zipSync(withReadableMath(parts), { level: 0 });
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(archive) },
      {
        styleMap: STYLES,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        // Pictures stay in the file; their descriptions are text.
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      },
    );
    return value;
  } catch {
    // mammoth throws on files that are no documents; to the sender that is one answer.
    return undefined;
  }
}

function withReadableMath(parts: DocxParts): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, data]) => [
      name,
      /^word\/[\w-]+\.xml$/.test(name) ? Buffer.from(mathAsText(decodeXml(data))) : data,
    ]),
  );
}

function present(html: string, parts: DocxParts, maxChars: number): FileResult {
  const document = parseHtml(html);
  const written = writeMarkdown(document, new UrlResolver(''));
  const whole = documentText(document);
  if (whole.trim() === '') return failedFile('no_text', 'The DOCX has no text');
  const markdown = cutAtBlock(written.markdown, maxChars);
  const isCut = markdown.length < written.markdown.length;
  const cut = isCut ? 'max_chars' : written.truncatedBy;
  const title = documentTitle(parts, document);
  const links = webLinks(document);
  return {
    ok: true,
    file: {
      format: 'docx',
      markdown,
      text: cutAtBlock(whole, maxChars),
      ...(title === undefined ? {} : { title }),
      ...(links.length === 0 ? {} : { links }),
      ...(cut === undefined ? {} : { truncatedBy: cut }),
    },
  };
}

function cutAtBlock(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf('\n\n', maxChars);
  return `${text.slice(0, end > 0 ? end : maxChars).trimEnd()}\n`;
}

/** By the file's properties, else its first heading. */
function documentTitle(parts: DocxParts, document: Document): string | undefined {
  const core = parts['docProps/core.xml'];
  const named =
    core === undefined ? undefined : firstText(parseHtml(decodeXml(core)), /^dc:title$/);
  return named ?? firstText(document, /^h1$/);
}

function firstText(document: Document, name: RegExp): string | undefined {
  let found: string | undefined;
  walk(document, {
    text: () => undefined,
    enter(element) {
      if (name.test(element.name)) found ??= collapse(textOf(element, MAX_METADATA_CHARS));
      return true;
    },
    isDone: () => found !== undefined,
  });
  return found === '' ? undefined : found;
}

/** Addresses of the web that the document links to, each once. */
function webLinks(document: Document): string[] {
  const links = new Set<string>();
  walk(document, {
    text: () => undefined,
    enter({ name, attribs }) {
      const address = name === 'a' ? URL.parse(attribs.href ?? '')?.href : undefined;
      if (address !== undefined && isWebAddress(address)) links.add(address);
      return true;
    },
    isDone: () => links.size >= MAX_LINKS,
  });
  return [...links];
}

/**
 * Elements of Word's formulas (ECMA-376 part 1, 22.1). mammoth skips them with all they hold; as inserted text it reads
 * them. Parts above, below and under a bar are marked by signs, since the structure is lost.
 */
const MATH_TAG = /<(\/?)m:(\w{1,40})\b([^<>]{0,500}?)(\/?)>/g;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['den', '/'],
  ['sup', '^'],
  ['sub', '_'],
]);
/** Brackets and operators where none are named. */
const DEFAULTS = { begChr: '(', sepChr: '|', endChr: ')' } as const;
const INTEGRAL = '∫';
const HAT = '\u0302';
/** Equations below each other, rows of a matrix, and their cells. */
const PARTS_APART: ReadonlySet<string> = new Set(['eqArr', 'm', 'mr']);
/** Of formulas in one another. */
const MAX_DEPTH = 1_000;

/** An element that is open, with the characters that its properties name. */
interface OpenElement {
  readonly name: string;
  readonly chars: { [name: string]: string };
  /** Its first part has begun. */
  isBegun: boolean;
}

/** The XML of a document with its formulas as text. Linear time. */
function mathAsText(xml: string): string {
  if (!xml.includes('<m:')) return xml;
  const open: OpenElement[] = [];
  return xml.replace(MATH_TAG, (_, closing: string, name: string, rest: string, empty: string) => {
    if (name === 'r' || name === 't') {
      const attributes = name === 't' && closing === '' ? ' xml:space="preserve"' : '';
      return `<${closing}w:${name}${attributes}${empty}>`;
    }
    if (closing !== '') {
      const ended = open.at(-1)?.name === name ? open.pop() : undefined;
      return `${runOf(ended === undefined ? '' : lastChar(ended))}</w:ins>`;
    }
    const shown = runOf(charBefore(name, open.at(-1)) + signOf(name, empty));
    nameChar(name, rest, open.at(-2));
    if (empty !== '') return shown;
    if (open.length < MAX_DEPTH) open.push({ name, chars: {}, isBegun: false });
    return `${shown}<w:ins>`;
  });
}

const runOf = (text: string): string => (text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`);

/** A root has a degree, which is empty for a square root. */
function signOf(name: string, empty: string): string {
  if (name === 'deg') return '√';
  return empty === '' ? (SIGNS.get(name) ?? '') : '';
}

/** `<m:dPr><m:begChr m:val="["/>` names a character of the element that has the properties. */
function nameChar(name: string, attributes: string, element: OpenElement | undefined): void {
  if (name !== 'chr' && !Object.hasOwn(DEFAULTS, name)) return;
  const value = /m:val="([^"<>]{0,12})"/.exec(attributes)?.[1];
  if (value !== undefined && element) element.chars[name] = value;
}

/** What stands before a part of an element: the opening bracket or the one between two parts, or the operator. */
function charBefore(part: string, element: OpenElement | undefined): string {
  if (element === undefined || part.endsWith('Pr')) return '';
  const { name, chars, isBegun } = element;
  element.isBegun = true;
  if (name === 'd') {
    const char = isBegun ? 'sepChr' : 'begChr';
    return chars[char] ?? DEFAULTS[char];
  }
  if (isBegun) return PARTS_APART.has(name) ? ' ' : '';
  if (name === 'nary') return chars['chr'] ?? INTEGRAL;
  return name === 'groupChr' ? (chars['chr'] ?? '') : '';
}

/** What stands after an element: its closing bracket, or its accent, which combines with the character before it. */
function lastChar({ name, chars }: OpenElement): string {
  if (name === 'd') return chars['endChr'] ?? DEFAULTS.endChr;
  return name === 'acc' ? (chars['chr'] ?? HAT) : '';
}
