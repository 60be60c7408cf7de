import type { DomDocument, PageDom, DomElement, PageNode } from './page-dom.js';

export interface SerialiserLimits {
  /** Characters of HTML; the rest is cut. */
  readonly maxChars: number;
  readonly maxNodes: number;
  readonly maxFrames: number;
  readonly maxFrameDepth: number;
  readonly budgetMs: number;
}

export interface SerialisedPage {
  readonly html: string;
  readonly url: string;
  readonly isCut: boolean;
}

/** A node to write, perhaps with all that follow it, or text to write as it is. */
type Step = string | NodeStep;
interface NodeStep {
  readonly node: PageNode;
  readonly withSiblings: boolean;
  readonly frameDepth: number;
  /** Base of the frame's addresses; '' in the main document. */
  readonly base: string;
}

/**
 * Writes the page as a reader sees it: open shadow roots in the place of their hosts' children,
 * slots filled, same-origin frames as a `div data-frame-src` in their position. Nothing in the page
 * is changed. Without recursion: pages nest deeper than stacks.
 */
export class Serialiser {
  private readonly parts: string[] = [];
  private readonly steps: Step[] = [];
  private chars = 0;
  private nodes = 0;
  private frames = 0;
  private isCut = false;
  private isSurveyed = true;
  private surveyed = 0;
  private readonly impure = new Set<PageNode>();
  /** Passwords are left out, and browsers lose a first newline in the others. */
  private readonly special =
    'iframe, frame, template, pre, textarea, listing, input[type=password], input[autocomplete*=password]';
  private readonly endsAt: number;

  constructor(
    private readonly limits: SerialiserLimits,
    private readonly dom: PageDom,
  ) {
    this.endsAt = performance.now() + limits.budgetMs;
  }

  run(): SerialisedPage {
    const { document } = this.dom;
    const root = this.dom.root(document);
    this.write(this.doctype(document));
    this.isSurveyed = this.dom.contentType(document) === 'text/html';
    if (root !== null) {
      this.survey(this.dom.all(document, '*'), this.dom.queryDocument(document, this.special));
      this.walk(root);
    }
    return { html: this.parts.join(''), url: this.dom.url(document), isCut: this.isCut };
  }

  /**
   * Finds elements that this class must write itself, and their ancestors. The browser writes the
   * rest, ten times faster. A tree too large to search is walked as far as there is time.
   */
  private survey(all: ArrayLike<DomElement>, special: ArrayLike<DomElement>): void {
    const MAX_SURVEYED = 300_000;
    this.surveyed += all.length;
    if (this.surveyed > MAX_SURVEYED) this.isSurveyed = false;
    if (!this.isSurveyed) return;
    for (let i = 0; i < special.length; i++) this.markImpure(special[i] ?? null);
    for (let i = 0; i < all.length; i++) {
      const element = all[i];
      if (element !== undefined && this.dom.shadowRoot(element) !== null) this.markImpure(element);
    }
  }

  private markImpure(element: PageNode | null): void {
    for (let at = element; at !== null && !this.impure.has(at); at = this.dom.parentNode(at)) {
      this.impure.add(at);
    }
  }

  private isPure(element: DomElement, { base }: NodeStep): boolean {
    return this.isSurveyed && base === '' && !this.impure.has(element);
  }

  private doctype(document: DomDocument): string {
    return this.dom.doctype(document) === null ? '' : '<!DOCTYPE html>';
  }

  private walk(root: DomElement): void {
    this.steps.push({ node: root, withSiblings: false, frameDepth: 0, base: '' });
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      if (typeof step === 'string') this.write(step);
      else if (this.isSpent()) this.isCut = true;
      else {
        const next = step.withSiblings ? this.dom.nextSibling(step.node) : null;
        if (next !== null) this.steps.push({ ...step, node: next });
        this.visit(step);
      }
    }
  }

  private isSpent(): boolean {
    this.nodes++;
    if (this.isCut || this.nodes > this.limits.maxNodes) return true;
    return this.nodes % 1000 === 0 && performance.now() > this.endsAt;
  }

  private write(text: string): void {
    const room = this.limits.maxChars - this.chars;
    if (text.length > room) this.isCut = true;
    const fitting = text.length > room ? text.slice(0, Math.max(0, room)) : text;
    this.chars += fitting.length;
    this.parts.push(fitting);
  }

  private visit(step: NodeStep): void {
    const { node } = step;
    switch (this.dom.nodeType(node)) {
      case 1:
        return this.element(node as DomElement, step);
      case 3:
        return this.write(this.text(node));
      case 8: {
        const data = this.dom.data(node);
        return data.includes('--') ? undefined : this.write(`<!--${data}-->`);
      }
      default:
        return undefined;
    }
  }

  private text(node: PageNode): string {
    const data = this.dom.data(node);
    const parent = this.dom.parentNode(node);
    const isElement = parent !== null && this.dom.nodeType(parent) === 1;
    const RAW = /^(?:script|style|xmp|noembed|noframes|noscript|plaintext)$/;
    if (isElement && RAW.test(this.dom.localName(parent))) return data;
    return data
      .replaceAll('&', '&amp;')
      .replaceAll('\u00a0', '&nbsp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
  }

  private element(element: DomElement, step: NodeStep): void {
    const name = this.dom.localName(element);
    if (name === 'slot') return this.slot(element, step);
    if (name === 'template' || this.isScopedStyle(element, name)) return;
    if (this.isPure(element, step)) return this.write(this.dom.outerHtml(element));
    if ((name === 'iframe' || name === 'frame') && this.frame(element, name, step)) return;
    const isFrameset = name === 'frameset';
    const tag = isFrameset ? 'body' : this.tag(element, name);
    this.write(`<${tag}${isFrameset ? '' : this.attributes(element, name, step.base)}>`);
    const VOID =
      /^(?:area|base|basefont|bgsound|br|col|embed|frame|hr|img|input|keygen|link|meta|param|source|track|wbr)$/;
    if (this.isHtml(element) && VOID.test(name)) return;
    this.steps.push(`</${tag}>`);
    const shadow = this.dom.shadowRoot(element);
    if (shadow !== null && step.base === '') this.surveyShadow(shadow);
    const parent = shadow ?? element;
    if (/^(?:pre|textarea|listing)$/.test(name)) this.keepFirstNewline(this.dom.firstChild(parent));
    this.childrenOf(parent, step);
  }

  private surveyShadow(root: PageNode): void {
    const special = `${this.special}, slot, style, link`;
    this.survey(this.dom.queryFragment(root, '*'), this.dom.queryFragment(root, special));
  }

  /** A parser drops the first newline after these tags. */
  private keepFirstNewline(first: PageNode | null): void {
    if (first === null || this.dom.nodeType(first) !== 3) return;
    if (this.dom.data(first).startsWith('\n')) this.write('\n');
  }

  private list(nodes: readonly PageNode[], step: NodeStep): void {
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i];
      if (node !== undefined) this.steps.push({ ...step, node, withSiblings: false });
    }
  }

  /** Children are taken one by one: of a million, most may never be reached. */
  private childrenOf(parent: PageNode, step: NodeStep): void {
    const first = this.dom.firstChild(parent);
    if (first !== null) this.steps.push({ ...step, node: first, withSiblings: true });
  }

  /** What shows in a slot: what was put into it, else its own content. */
  private slot(slot: DomElement, step: NodeStep): void {
    const assigned = this.dom.assignedNodes(slot) ?? [];
    if (assigned.length > 0) this.list(assigned, step);
    else this.childrenOf(slot, step);
  }

  /** Styles of a shadow root hold in it alone; outside they would restyle the page. */
  private isScopedStyle(element: DomElement, name: string): boolean {
    if (name !== 'style' && name !== 'link') return false;
    const parent = this.dom.parentNode(element);
    return parent !== null && this.dom.nodeType(parent) === 11;
  }

  /** False: a frame of another origin, hidden, empty or past the bounds; it stays a frame. */
  private frame(element: DomElement, name: string, step: NodeStep): boolean {
    const isOpen = this.frames < this.limits.maxFrames;
    if (!isOpen || step.frameDepth >= this.limits.maxFrameDepth) return false;
    const inner = this.dom.innerDocument(element);
    const body = inner && this.dom.body(inner);
    if (!inner || !body || this.dom.firstChild(body) === null) return false;
    if (this.dom.clientRects(element).length === 0) return false;
    this.frames++;
    const source = this.dom.attribute(element, 'src') ?? '';
    this.write(`<div data-frame-src="${this.escaped(this.absolute(source, step.base))}">`);
    this.steps.push('</div>');
    const isFrameset = this.dom.localName(body) === 'frameset';
    const base = this.dom.baseUri(inner);
    const inside = { node: body, withSiblings: false, frameDepth: step.frameDepth + 1, base };
    if (isFrameset) this.steps.push(inside);
    else this.childrenOf(this.dom.shadowRoot(body) ?? body, inside);
    return true;
  }

  private tag(element: DomElement, name: string): string {
    return this.isHtml(element) ? name : this.dom.tagName(element);
  }

  private isHtml(element: DomElement): boolean {
    return this.dom.namespace(element) === 'http://www.w3.org/1999/xhtml';
  }

  private attributes(element: DomElement, name: string, base: string): string {
    const attributes = this.dom.attributes(element);
    const isSecret = name === 'input' && this.isPassword(element);
    let text = '';
    for (let i = 0; i < attributes.length; i++) {
      const attribute = attributes[i];
      if (attribute === undefined || (isSecret && attribute.name === 'value')) continue;
      const isAddress = base !== '' && /^(?:href|src|poster)$/.test(attribute.name);
      const value = isAddress ? this.absolute(attribute.value, base) : attribute.value;
      text += ` ${attribute.name}="${this.escaped(value)}"`;
    }
    return text;
  }

  private isPassword(element: DomElement): boolean {
    const type = this.dom.attribute(element, 'type')?.toLowerCase();
    return (
      type === 'password' || /password/i.test(this.dom.attribute(element, 'autocomplete') ?? '')
    );
  }

  private absolute(address: string, base: string): string {
    return base !== '' && URL.canParse(address, base) ? new URL(address, base).href : address;
  }

  private escaped(value: string): string {
    return value
      .replaceAll('&', '&amp;')
      .replaceAll('\u00a0', '&nbsp;')
      .replaceAll('"', '&quot;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
  }
}
