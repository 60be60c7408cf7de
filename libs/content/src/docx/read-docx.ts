import type { Document } from 'domhandler';
import { parseHtml, parsePage } from '../dom/parse-html.js';
import { failedFile, type FileOptions, type FileResult } from '../files/file-result.js';
import { documentText } from '../files/plain-text.js';
import { MAX_FILE_CHARS, MAX_LINKS, MAX_METADATA_CHARS } from '../limits.js';
import { UrlResolver, isWebAddress } from '../links/url-resolver.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import { decodeXml, unpackDocx, type DocxParts } from './unpack-docx.js';
import { XmlError, child, type XmlElement } from './xml-tree.js';
import { collapse, textOf, walk } from '../dom/walk.js';
import { escapeHtmlAttribute } from '../html/escape-html.js';
import { DocxPackage } from './docx-package.js';
import { Numbering } from './numbering.js';
import type { DocumentParts, NoteKind } from './read-inline.js';
import { StoryReader } from './read-story.js';
import { Styles } from './styles.js';

/**
 * Reads a DOCX by way of HTML, so that its Markdown is as a page's. Never throws.
 */
export function readDocx(bytes: Uint8Array, options: FileOptions): FileResult {
  const unpacked = unpackDocx(bytes);
  if (!unpacked.ok) return unpacked;
  try {
    const reader = new DocumentReader(unpacked.parts);
    const html = reader.read();
    return html === undefined
      ? failedFile('malformed', 'The DOCX is damaged and cannot be read')
      : present(html, reader.isPartial, unpacked.parts, options.maxChars ?? MAX_FILE_CHARS);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return failedFile('malformed', `The DOCX is refused: ${error.message}`);
  }
}

function present(html: string, isPartial: boolean, parts: DocxParts, maxChars: number): FileResult {
  const { document, truncatedBy } = parsePage(html);
  const written = writeMarkdown(document, new UrlResolver(''));
  const whole = documentText(document);
  if (whole.trim() === '') return failedFile('no_text', 'The DOCX has no text');
  const markdown = cutAtBlock(written.markdown, maxChars);
  const isCut = markdown.length < written.markdown.length;
  const unread = isPartial ? 'unreadable_parts' : undefined;
  const cut = isCut ? 'max_chars' : (truncatedBy ?? written.truncatedBy ?? unread);
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
  const core = parts.get('docProps/core.xml');
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

interface Note {
  readonly kind: NoteKind;
  readonly id: string;
  readonly number: number;
}

interface Notes {
  readonly story: StoryReader;
  readonly byId: ReadonlyMap<string, XmlElement>;
}

/** Reads the main part of a document and the notes that it refers to. */
class DocumentReader implements DocumentParts {
  /** Something with words could not be read. */
  isPartial = false;
  readonly styles: Styles;
  readonly numbering: Numbering;
  private readonly file: DocxPackage;
  private readonly main: string;
  private readonly notes = new Map<NoteKind, Notes>();
  /** In the order in which the text refers to them. */
  private readonly shownNotes = new Map<string, Note>();
  private readonly diagrams = new Set<string>();

  /** @throws {XmlError} as its other methods do */
  constructor(parts: DocxParts) {
    this.file = new DocxPackage(parts);
    this.main = this.file.related('', 'officeDocument', 'word/document.xml');
    this.styles = new Styles(this.readRelated('styles'));
    this.numbering = new Numbering(this.readRelated('numbering'), this.styles);
  }

  /** HTML; undefined when there is no document. */
  read(): string | undefined {
    const part = this.file.read(this.main);
    const body = child(part, 'w:body');
    if (part === undefined || body === undefined) return undefined;
    const html = new StoryReader(part, this.file.relationships(this.main), this).readBlocks(body);
    return html + this.readNotes();
  }

  noteNumber(kind: NoteKind, id: string): number | undefined {
    if (!this.notesOf(kind).byId.has(id)) return undefined;
    const key = `${kind} ${id}`;
    const note = this.shownNotes.get(key) ?? { kind, id, number: this.shownNotes.size + 1 };
    this.shownNotes.set(key, note);
    return note.number;
  }

  readDiagram(part: string): XmlElement | undefined {
    // One may name itself.
    if (this.diagrams.has(part)) return NOTHING;
    this.diagrams.add(part);
    return this.file.read(part);
  }

  noteUnread(): void {
    this.isPartial = true;
  }

  private readRelated(type: string): XmlElement | undefined {
    return this.file.read(this.file.related(this.main, type));
  }

  private notesOf(kind: NoteKind): Notes {
    const known = this.notes.get(kind);
    if (known !== undefined) return known;
    const name = this.file.related(this.main, `${kind}s`);
    const part = this.file.read(name) ?? NOTHING;
    const byId = new Map<string, XmlElement>();
    for (const note of part.children) byId.set(note.attributes['w:id'] ?? '', note);
    const notes = { story: new StoryReader(part, this.file.relationships(name), this), byId };
    this.notes.set(kind, notes);
    return notes;
  }

  /** Notes may refer to notes, which come after them then. */
  private readNotes(): string {
    let items = '';
    for (const { kind, id } of this.shownNotes.values()) {
      const { story, byId } = this.notesOf(kind);
      const note = byId.get(id);
      const html = note === undefined ? '' : story.readBlocks(note);
      const back = ` <a href="#${escapeHtmlAttribute(`${kind}-ref-${id}`)}">↑</a>`;
      const body = html.endsWith('</p>')
        ? `${html.slice(0, -4)}${back}</p>`
        : `${html}<p>${back}</p>`;
      items += `<li id="${escapeHtmlAttribute(`${kind}-${id}`)}">${body}</li>`;
    }
    return items === '' ? '' : `<ol>${items}</ol>`;
  }
}

const NOTHING: XmlElement = { name: '', attributes: {}, children: [], text: '' };
