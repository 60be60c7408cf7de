import { escapeHtmlAttribute } from '../html/escape-html.js';
import { DocxPackage } from './docx-package.js';
import { Numbering } from './numbering.js';
import { type DocumentParts, type NoteKind } from './read-inline.js';
import { StoryReader } from './read-story.js';
import { Styles } from './styles.js';
import { type DocxParts } from './unpack-docx.js';
import { child, type XmlElement } from './xml-tree.js';

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
export class DocumentReader implements DocumentParts {
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
