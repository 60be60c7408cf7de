import { Tokenizer, type QuoteType, type TokenizerCallbacks } from 'htmlparser2';
import { MAX_XML_DEPTH } from '../limits.js';

/** An element with its name and its attributes' names in the prefixes of {@link PREFIXES}, whatever the file calls them. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What stands directly in it. */
  readonly text: string;
}

/** Why XML is refused, for people. */
export class XmlError extends Error {}

const OFFICE = ['http://schemas.openxmlformats.org/', 'http://purl.oclc.org/ooxml/'];

/** Prefixes by namespace, in the transitional and the strict form of the standard. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  [`${OFFICE[0]}wordprocessingml/2006/main`, 'w'],
  [`${OFFICE[1]}wordprocessingml/main`, 'w'],
  [`${OFFICE[0]}officeDocument/2006/relationships`, 'r'],
  [`${OFFICE[1]}officeDocument/relationships`, 'r'],
  [`${OFFICE[0]}officeDocument/2006/math`, 'm'],
  [`${OFFICE[1]}officeDocument/math`, 'm'],
  [`${OFFICE[0]}drawingml/2006/wordprocessingDrawing`, 'wp'],
  [`${OFFICE[1]}drawingml/wordprocessingDrawing`, 'wp'],
  [`${OFFICE[0]}drawingml/2006/main`, 'a'],
  [`${OFFICE[1]}drawingml/main`, 'a'],
  [`${OFFICE[0]}drawingml/2006/diagram`, 'dgm'],
  [`${OFFICE[1]}drawingml/diagram`, 'dgm'],
  [`${OFFICE[0]}markup-compatibility/2006`, 'mc'],
  [`${OFFICE[0]}package/2006/relationships`, ''],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
]);

/** Names of other namespaces, so that none is taken for one of these. */
const FOREIGN = '?';

/**
 * The tree of a part.
 * @throws {XmlError} when it is not well-formed, declares a document type (entities have no place in a document) or
 * nests too deep
 */
export function parseXml(text: string): XmlElement {
  return new XmlReader(text).read();
}

export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one) => one.name === name);

/** The `w:val` of a child. */
export const valueIn = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.attributes['w:val'];

/** A property that is there is on, unless it says otherwise; undefined when it is not there. */
export function isTurnedOn(property: XmlElement | undefined, name = 'w:val'): boolean | undefined {
  return property && !/^(?:0|false|off|none)$/.test(property.attributes[name] ?? '');
}

/** Neither these nor what is in them is shown. */
const UNSEEN = new Set(['w:del', 'w:moveFrom', 'w:tblGrid', 'w:rt', 'v:shapetype']);

/** Whether nothing in an element is text of the document. The names of properties end in `Pr`. */
export const holdsNoText = ({ name, attributes }: XmlElement): boolean =>
  name.endsWith('Pr') || UNSEEN.has(name) || /visibility:\s*hidden/.test(attributes.style ?? '');

type Mutable = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: XmlElement[] };

interface OpenElement {
  readonly element: Mutable;
  /** As the source has it. */
  readonly tag: string;
  /** Prefixes that it declares. */
  readonly declared: readonly string[];
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = {};
const NO_PREFIXES: readonly string[] = [];
const ignore = (): void => undefined;

class XmlReader implements TokenizerCallbacks {
  private readonly tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, this);
  private readonly open: OpenElement[] = [];
  private root: XmlElement | undefined;
  private tag = '';
  /** Names and values in turn. */
  private attributes: string[] = [];
  private value = '';
  /** Declarations of each prefix, the innermost last. */
  private readonly bindings = new Map<string, string[]>();
  /** Names that were resolved under the declarations in force. */
  private readonly names = new Map<string, string>();

  constructor(private readonly source: string) {}

  read(): XmlElement {
    this.tokenizer.write(this.source);
    this.tokenizer.end();
    if (this.root === undefined || this.open.length > 0) throw notWellFormed();
    return this.root;
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.source.slice(start, end);
    this.attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.attributes.push(this.source.slice(start, end));
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(_quote: QuoteType, _end: number): void {
    this.attributes.push(this.value);
  }

  onopentagend(): void {
    const { tag } = this;
    const declared = this.declare();
    const element: Mutable = {
      name: this.nameOf(tag),
      attributes: this.namedAttributes(),
      children: [],
      text: '',
    };
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.element.children.push(element);
    else if (this.root === undefined) this.root = element;
    else throw notWellFormed();
    if (this.open.length >= MAX_XML_DEPTH) throw new XmlError('its XML nests too deep');
    this.open.push({ element, tag, declared });
  }

  onselfclosingtag(): void {
    this.onopentagend();
    this.close(this.tag);
  }

  onclosetag(start: number, end: number): void {
    this.close(this.source.slice(start, end));
  }

  ontext(start: number, end: number): void {
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.element.text += this.source.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.element.text += String.fromCodePoint(codePoint);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  ondeclaration(): void {
    throw new XmlError('its XML declares a document type');
  }

  readonly oncomment = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  private close(tag: string): void {
    const ended = this.open.pop();
    if (ended?.tag !== tag) throw notWellFormed();
    for (const prefix of ended.declared) this.bindings.get(prefix)?.pop();
    if (ended.declared.length > 0) this.names.clear();
  }

  /** Takes the namespaces that the tag declares. */
  private declare(): readonly string[] {
    let declared: string[] | undefined;
    for (let at = 0; at < this.attributes.length; at += 2) {
      const name = this.attributes[at] ?? '';
      if (!name.startsWith('xmlns') || (name.length > 5 && name[5] !== ':')) continue;
      const prefix = name.slice(6);
      const known = PREFIXES.get(this.attributes[at + 1] ?? '') ?? FOREIGN;
      const bound = this.bindings.get(prefix);
      if (bound === undefined) this.bindings.set(prefix, [known]);
      else bound.push(known);
      (declared ??= []).push(prefix);
    }
    if (declared !== undefined) this.names.clear();
    return declared ?? NO_PREFIXES;
  }

  /** A prefix that nobody declares is taken at its word. */
  private nameOf(raw: string): string {
    const resolved = this.names.get(raw);
    if (resolved !== undefined) return resolved;
    const colon = raw.indexOf(':');
    const prefix = colon === -1 ? '' : raw.slice(0, colon);
    const known = this.bindings.get(prefix)?.at(-1) ?? prefix;
    const name = known === '' ? raw.slice(colon + 1) : `${known}:${raw.slice(colon + 1)}`;
    this.names.set(raw, name);
    return name;
  }

  /** An attribute without a prefix has no namespace. */
  private namedAttributes(): Readonly<Record<string, string>> {
    if (this.attributes.length === 0) return NO_ATTRIBUTES;
    const named: Record<string, string> = {};
    for (let at = 0; at < this.attributes.length; at += 2) {
      const raw = this.attributes[at] ?? '';
      named[raw.includes(':') ? this.nameOf(raw) : raw] = this.attributes[at + 1] ?? '';
    }
    return named;
  }
}

const notWellFormed = (): XmlError => new XmlError('its XML is not well-formed');
