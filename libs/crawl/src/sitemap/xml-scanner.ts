import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { detached } from './detached-text.js';

/** Longest name, attribute or CDATA section that is read; real ones are far shorter. */
const MAX_TOKEN_CHARS = 8_192;

/** Events of a scanner. Names are in lower case, with their prefix. */
export interface XmlEvents {
  /** Whether text and attributes are of interest just now. */
  readonly isListening: boolean;
  /** The document has a DTD. It is not read. */
  doctype(): void;
  open(name: string): void;
  /** Value as written: references are not resolved. */
  attribute(name: string, value: string): void;
  /** The open tag ended. */
  opened(): void;
  close(name: string): void;
  /** As written, in pieces: references are not resolved. */
  text(piece: string): void;
  /** @param piece null: longer than anything that is of use */
  cdata(piece: string | null): void;
}

/** Names that are recognised in place: millions of tags have a handful of names. */
const MAX_KNOWN = 8;
const MAX_KNOWN_CHARS = 64;

const ignore = (): void => undefined;

/**
 * Streaming XML, read as leniently as sites write it, in memory that does not grow with the file.
 * DTDs and processing instructions are skipped: nothing is ever defined, expanded or fetched.
 */
export class XmlScanner implements TokenizerCallbacks {
  private readonly tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  /** The latest text, long enough for every token that is read; where it starts in the whole. */
  private window = '';
  private windowStart = 0;
  /** By length, as written and in lower case. */
  private readonly names = new Map<number, { readonly written: string; readonly name: string }[]>();
  private openName = '';
  private attributeName = '';
  private attributeValue = '';

  constructor(private readonly events: XmlEvents) {}

  write(text: string): void {
    const kept = this.window.slice(-MAX_TOKEN_CHARS);
    this.windowStart += this.window.length - kept.length;
    this.window = kept + text;
    this.tokenizer.write(text);
  }

  end(): void {
    this.tokenizer.end();
  }

  ontext(start: number, end: number): void {
    // A text piece lies within what was written last.
    if (this.events.isListening) this.events.text(this.at(start, end));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.events.isListening) this.events.cdata(this.token(start, end - endOffset));
  }

  ondeclaration(): void {
    this.events.doctype();
  }

  onopentagname(start: number, end: number): void {
    this.openName = this.name(start, end);
    this.events.open(this.openName);
  }

  onopentagend(): void {
    this.events.opened();
  }

  onselfclosingtag(): void {
    this.events.opened();
    this.events.close(this.openName);
  }

  onclosetag(start: number, end: number): void {
    this.events.close(this.name(start, end));
  }

  onattribname(start: number, end: number): void {
    this.attributeName = this.events.isListening ? this.name(start, end) : '';
  }

  onattribdata(start: number, end: number): void {
    // A value that lies across what is written at a time comes in pieces.
    const room = MAX_TOKEN_CHARS - this.attributeValue.length;
    if (this.events.isListening) this.attributeValue += this.at(start, Math.min(end, start + room));
  }

  onattribend(): void {
    if (this.events.isListening) this.events.attribute(this.attributeName, this.attributeValue);
    this.attributeValue = '';
  }

  // Only called by a tokenizer that decodes entities, or of no use here.
  readonly onattribentity = ignore;
  readonly ontextentity = ignore;
  readonly oncomment = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  /** Empty when it is too long to be one that matters. */
  private name(start: number, end: number): string {
    const known = this.names.get(end - start);
    const at = start - this.windowStart;
    const same = known?.find(({ written }) => this.window.startsWith(written, at));
    return same?.name ?? this.newName(start, end);
  }

  private newName(start: number, end: number): string {
    const written = this.token(start, end) ?? '';
    const name = written.toLowerCase();
    const ofLength = this.names.get(written.length) ?? [];
    if (written === '' || written.length > MAX_KNOWN_CHARS || ofLength.length === MAX_KNOWN) {
      return name;
    }
    ofLength.push({ written: detached(written), name: detached(name) });
    this.names.set(written.length, ofLength);
    return name;
  }

  private token(start: number, end: number): string | null {
    return end - start > MAX_TOKEN_CHARS / 2 ? null : this.at(start, end);
  }

  private at(start: number, end: number): string {
    return this.window.slice(start - this.windowStart, end - this.windowStart);
  }
}
