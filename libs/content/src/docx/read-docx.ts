import { titleInXml, type FileContent } from '../files/file-content.js';
import { AddressRoom } from '../files/address-room.js';
import { OfficePackage } from '../files/office-package.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { unpackZip, type ZipParts } from '../files/unpack-zip.js';
import { child, type XmlElement } from '../files/xml-tree.js';
import { escapeHtmlAttribute } from '../html/escape-html.js';
import { Numbering } from './numbering.js';
import type { DocumentParts, NoteKind } from './read-inline.js';
import { StoryReader } from './read-story.js';
import { Styles } from './styles.js';

/** Parts that say what the document's text is. */
const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[\w./-]+\.(?:xml|rels))$/i;

/** Reads a DOCX by way of HTML, so that its Markdown is as a page's. @throws {UnreadableFile} */
export function readDocx(bytes: Uint8Array): FileContent {
  const parts = unpackZip(bytes, WANTED);
  const reader = new DocumentReader(parts);
  const html = reader.read();
  if (html === undefined) throw new UnreadableFile('malformed', 'is damaged and cannot be read');
  return {
    html: [html],
    title: titleInXml(parts.get('docProps/core.xml')),
    cut: reader.isPartial ? 'unreadable_parts' : reader.links.cut,
  };
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
  readonly links = new AddressRoom();
  private readonly file: OfficePackage;
  private readonly main: string;
  private readonly notes = new Map<NoteKind, Notes>();
  /** In the order in which the text refers to them. */
  private readonly shownNotes = new Map<string, Note>();
  private readonly diagrams = new Set<string>();

  /** @throws {UnreadableFile} as its other methods do */
  constructor(parts: ZipParts) {
    this.file = new OfficePackage(parts);
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
    return this.file.read(this.file.related(this.main, type, `word/${type}.xml`));
  }

  private notesOf(kind: NoteKind): Notes {
    const known = this.notes.get(kind);
    if (known !== undefined) return known;
    const name = this.file.related(this.main, `${kind}s`, `word/${kind}s.xml`);
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
