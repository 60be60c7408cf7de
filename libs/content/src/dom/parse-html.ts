import { Text, type Document, type Element } from 'domhandler';
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { UNBOUNDED_CPU, type CpuBudget } from '../cpu-budget.js';
import { MAX_ATTRIBUTES, MAX_PAGE_ATTRIBUTES, type TruncationReason } from '../limits.js';
import { isJsonLdScript } from './script-element.js';
import { tokenize, type TagReader } from './tokenizer.js';
import { TreeBuilder } from './tree-builder.js';
import { textOf } from './walk.js';

/** A parsed page with the elements that later steps would otherwise have to search for. */
export interface ParsedPage {
  readonly document: Document;
  /** html, title, base, meta and link elements and the first h1, in document order. */
  readonly described: readonly Element[];
  /** a and area elements with an href and frames of a frameset, in document order; no templates. */
  readonly anchors: readonly Element[];
  /** Scripts of JSON-LD, in document order; no templates. */
  readonly jsonLd: readonly Element[];
  /** Data that a forum's script would show: see `preloadedTopic`; empty: none. */
  readonly preloaded: string;
  readonly truncatedBy?: TruncationReason;
}

/** The tree of a page: domhandler nodes, so that selectors work on it. Never throws. */
export function parseHtml(text: string): Document {
  return parsePage(text).document;
}

/**
 * Like {@link parseHtml}, with the links, metadata and facts that the same pass collects.
 * @param cpu half of it is for the tree; what follows in the source is left out. @default unbounded
 */
export function parsePage(text: string, cpu: CpuBudget = UNBOUNDED_CPU): ParsedPage {
  const reader = new PageReader(text, cpu);
  tokenize(text, reader);
  reader.protectedEmails.forEach(revealEmail);
  const { document } = reader.tree;
  const { described, jsonLd, preloaded, truncatedBy } = reader;
  return { document, described, anchors: reader.links(), jsonLd, preloaded, truncatedBy };
}

const DESCRIBING = new Set(['html', 'title', 'base', 'meta', 'link', 'h1']);

/** Of the CPU time of a page, for its tree. */
const PARSE_PART = 0.5;

/** Builds the tree, and notes what later steps would search it for. */
class PageReader implements TagReader {
  readonly tree = new TreeBuilder();
  readonly described: Element[] = [];
  private readonly anchors: Element[] = [];
  readonly protectedEmails: Element[] = [];
  readonly jsonLd: Element[] = [];
  preloaded = '';
  private tagName = '';
  private attributes: Record<string, string> = {};
  private attributeCount = 0;
  private pageAttributes = 0;
  private templateDepth = 0;
  private isInNoscript = false;
  private hasProtectedEmail = false;
  private isOutOfTime = false;

  constructor(
    private readonly source: string,
    private readonly cpu: CpuBudget,
  ) {}

  /** Those that are still links: an e-mail address of Cloudflare's becomes text. */
  links(): readonly Element[] {
    if (this.protectedEmails.length === 0) return this.anchors;
    return this.anchors.filter((element) => targetOf(element) !== undefined);
  }

  get truncatedBy(): TruncationReason | undefined {
    return this.isOutOfTime ? 'max_cpu' : this.tree.truncatedBy;
  }

  /** What follows is not read. */
  get isEnded(): boolean {
    return this.tree.isFull || this.isOutOfTime;
  }

  get isInForeignContent(): boolean {
    return this.tree.isInForeignContent;
  }

  /** In `<noscript>` too: browsers take all of it for text, so that an `<iframe/>` there ends with it. */
  get isInForeignContext(): boolean {
    return this.isInNoscript || this.tree.isInForeignContent;
  }

  text(start: number, end: number, isVerbatim: boolean): void {
    const text = this.source.slice(start, end);
    this.tree.text(isVerbatim || !text.includes('&') ? text : decodeHTML(text));
  }

  startTag(name: string): void {
    if (this.cpu.isSpentAtNode(PARSE_PART)) this.isOutOfTime = true;
    this.tagName = name === 'image' && !this.tree.isInForeignContent ? 'img' : name;
    this.attributes = {};
    this.attributeCount = 0;
    this.hasProtectedEmail = false;
  }

  attribute(name: string, start: number, end: number): void {
    const isTooMany = ++this.attributeCount > MAX_ATTRIBUTES;
    if (isTooMany || ++this.pageAttributes > MAX_PAGE_ATTRIBUTES) {
      this.tree.truncate('max_attributes');
    } else if (typeof this.attributes[name] !== 'string') {
      this.keepAttribute(name, this.source.slice(start, end));
    }
  }

  private keepAttribute(name: string, source: string): void {
    const value = source.includes('&') ? decodeHTMLAttribute(source) : source;
    this.attributes[name] = value;
    if (name === PROTECTED_EMAIL) this.hasProtectedEmail = true;
    else if (name === PRELOADED && this.preloaded === '') this.preloaded = value;
  }

  endTag(name: string): void {
    if (name === 'template' && this.templateDepth > 0) this.templateDepth--;
    if (name === 'noscript') this.isInNoscript = false;
    this.tree.endTag(name);
  }

  startTagEnd(isSelfClosing: boolean): void {
    if (this.isOutOfTime) return;
    const name = this.tagName;
    const wasForeign = this.tree.isInForeignContent;
    const element = this.tree.startTag(name, this.attributes, isSelfClosing);
    if (element === undefined || this.tree.isFull) return;
    if (this.hasProtectedEmail) this.protectedEmails.push(element);
    if (name === 'noscript' && !wasForeign) this.isInNoscript = true;
    if (this.templateDepth > 0) return;
    if (isJsonLdScript(element)) this.jsonLd.push(element);
    if (name === 'template' && !wasForeign) this.templateDepth++;
    else if (name === 'a' || name === 'area' || name === 'frame') this.keepAnchor(element);
    else if (DESCRIBING.has(name) && !wasForeign) this.described.push(element);
  }

  private keepAnchor(element: Element): void {
    const target = targetOf(element);
    if (target === undefined) return;
    this.anchors.push(element);
    if (isProtectedLink(target)) this.protectedEmails.push(element);
  }
}

const targetOf = ({ attribs, name }: Element): string | undefined =>
  name === 'frame' ? attribs.src : attribs.href;

/** The attribute in which Cloudflare hides an address of the text. */
const PROTECTED_EMAIL = 'data-cfemail';
/** That in which Discourse keeps the posts that a page is about. */
const PRELOADED = 'data-preloaded';

const LINK = '/cdn-cgi/l/email-protection#';
const PLACEHOLDER = /^\s*\[email\sprotected\]\s*$/;
const MAX_PLACEHOLDER_CHARS = 50;

const isProtectedLink = (target: string): boolean => target.includes(LINK);

/**
 * Does what Cloudflare's script does with the e-mail addresses that it hides from robots: its elements become the text
 * they stand for, its links `mailto:`. One that cannot be decoded is left unchanged.
 */
function revealEmail(element: Element): void {
  const text = protectedText(element.attribs[PROTECTED_EMAIL]);
  const address = protectedText(element.attribs.href?.split(LINK)[1]?.trim());
  if (text !== undefined) {
    element.name = 'span';
    element.attribs = {};
    setText(element, text);
  } else if (address !== undefined) {
    element.attribs.href = `mailto:${address}`;
    const isBare = PLACEHOLDER.test(textOf(element, MAX_PLACEHOLDER_CHARS));
    if (isBare) setText(element, address.split('?', 1).join(''));
  }
}

function setText(element: Element, text: string): void {
  const only = new Text(text);
  only.parent = element;
  element.children = [only];
}

const MAX_HEX_CHARS = 2_000;

/** Hexadecimal pairs, of which the first is the key that all others are exclusive-ored with. */
function protectedText(hex: string | undefined): string | undefined {
  if (hex === undefined || hex.length > MAX_HEX_CHARS || !/^(?:[\da-f]{2}){4,}$/i.test(hex))
    return undefined;
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const [key = 0] = bytes;
  const text = new TextDecoder().decode(bytes.subarray(1).map((byte) => byte ^ key));
  return text.includes('@') && !/[\0-\x1f\x7f\ufffd]/.test(text) ? text : undefined;
}
