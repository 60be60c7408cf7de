import { Tokenizer, type QuoteType, type TokenizerCallbacks } from 'htmlparser2';
import { MAX_XML_DEPTH } from '../limits.js';
import { UnreadableFile } from './unreadable-file.js';

/** An element with its name and its attributes' names in the prefixes of {@link PREFIXES}, whatever the file calls them. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What stands directly in it, unless its order is kept. */
  readonly text: string;
}

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
  [`${OFFICE[0]}spreadsheetml/2006/main`, 'x'],
  [`${OFFICE[1]}spreadsheetml/main`, 'x'],
  [`${OFFICE[0]}presentationml/2006/main`, 'p'],
  [`${OFFICE[1]}presentationml/main`, 'p'],
  [`${OFFICE[0]}drawingml/2006/chart`, 'c'],
  [`${OFFICE[1]}drawingml/chart`, 'c'],
  ...['office', 'text', 'table', 'style', 'presentation', 'meta', 'chart'].map(
    (name) => [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, name] as const,
  ),
  ['urn:oasis:names:tc:opendocument:xmlns:drawing:1.0', 'draw'],
  ['urn:oasis:names:tc:opendocument:xmlns:manifest:1.0', 'manifest'],
  ['urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0', 'svg'],
  ['urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0', 'fo'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
  ['urn:oasis:names:tc:opendocument:xmlns:container', ''],
]);

/** Names of other namespaces, so that none is taken for one of these. */
const FOREIGN = '?';

export interface XmlOptions {
  /** Elements that are taken out of the tree as they end, so that a part of millions of them is never held whole. */
  readonly taken?: ReadonlySet<string>;
  /** Called with each of them. Returns whether to read on. */
  readonly take?: (element: XmlElement) => boolean;
  /** The end of the source may be missing: what is there is the tree. @default false */
  readonly isCut?: boolean;
  /** Text becomes children named {@link XML_TEXT} between the others. @default false: it is in `text` alone */
  readonly keepsOrder?: boolean;
}

export const XML_TEXT = '#text';

/**
 * The tree of a part.
 * @throws {UnreadableFile} when it is not well-formed, has declarations of its own (entities have no place in a
 * document) or nests too deep
 */
export function parseXml(text: string, options: XmlOptions = {}): XmlElement {
  return new XmlReader(text, options).read();
}

export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one) => one.name === name);

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((one) => one.name === name) ?? [];

/** Those of a name at any depth, in document order; none inside another. */
export function elementsBelow(element: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const gather = ({ children }: XmlElement): void => {
    for (const one of children) {
      if (one.name === name) found.push(one);
      else gather(one);
    }
  };
  if (element !== undefined) gather(element);
  return found;
}

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

  private isStopped = false;

  constructor(
    private readonly source: string,
    private readonly options: XmlOptions,
  ) {}

  read(): XmlElement {
    this.tokenizer.write(this.source);
    const isCut = this.isStopped || this.options.isCut === true;
    if (isCut && this.root !== undefined) return this.root;
    this.tokenizer.end();
    if (this.root === undefined || this.open.length > 0) throw refused('is not well-formed');
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
    else throw refused('is not well-formed');
    if (this.open.length >= MAX_XML_DEPTH) throw refused('nests too deep');
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
    this.addText(this.source.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.addText(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  ondeclaration(start: number, end: number): void {
    if (this.source.slice(start, end).includes('[')) throw refused('has declarations of its own');
  }

  readonly oncomment = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  private addText(text: string): void {
    const parent = this.open.at(-1)?.element;
    if (parent === undefined) return;
    if (this.options.keepsOrder !== true) {
      parent.text += text;
      return;
    }
    let last = parent.children.at(-1) as Mutable | undefined;
    if (last?.name !== XML_TEXT) {
      last = { name: XML_TEXT, attributes: NO_ATTRIBUTES, children: [], text: '' };
      parent.children.push(last);
    }
    last.text += text;
  }

  private close(tag: string): void {
    const ended = this.open.pop();
    if (ended?.tag !== tag) throw refused('is not well-formed');
    for (const prefix of ended.declared) this.bindings.get(prefix)?.pop();
    if (ended.declared.length > 0) this.names.clear();
    if (this.options.taken?.has(ended.element.name)) this.takeOut(ended.element);
  }

  private takeOut(element: XmlElement): void {
    if (this.isStopped) return;
    this.open.at(-1)?.element.children.pop();
    if (this.options.take?.(element) !== false) return;
    this.isStopped = true;
    this.tokenizer.pause();
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

const refused = (why: string): UnreadableFile =>
  new UnreadableFile('malformed', `is refused: its XML ${why}`);

/** XML is UTF-8 unless its first bytes say UTF-16. */
export function decodeXml(data: Uint8Array): string {
  const isUtf16 = (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0x3c && data[1] === 0);
  if (isUtf16) return new TextDecoder('utf-16le').decode(data);
  const isBigEndian = (data[0] === 0xfe && data[1] === 0xff) || (data[0] === 0 && data[1] === 0x3c);
  return new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-8').decode(data);
}
