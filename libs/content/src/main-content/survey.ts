import { type Element } from 'domhandler';
import { countInk, isUnseen } from '../dom/visibility.js';
import { type Visitor } from '../dom/walk.js';
import { type BlockHint, blockHintOf, isSurelyClutter } from './block-hints.js';

/** A container with the text it holds, clutter apart. */
export interface Block {
  readonly element: Element;
  readonly hint: BlockHint;
  readonly isInMain: boolean;
  readonly isInArticle: boolean;
  chars: number;
  linkChars: number;
  /** Text in paragraphs and their like: prose. */
  proseChars: number;
}

/** A block that is left out, with its text. */
export interface Clutter {
  readonly element: Element;
  /** By its element or role; else only by its id or class. */
  readonly isSure: boolean;
  chars: number;
  linkChars: number;
}

const CONTAINERS = new Set(['div', 'section', 'article', 'main', 'td', 'body', 'form', 'center']);
const PROSE = new Set(['p', 'pre', 'blockquote', 'li', 'dd', 'td', 'h1', 'h2', 'h3', 'figcaption']);

/** Never clutter, whatever their classes say: pages and parts of a text carry "has-sidebar" and "menu". */
const NEVER_CLUTTER =
  /^(?:html|body|main|article|h[1-6]|p|pre|code|td|th|tr|table|tbody|a|b|i|em|strong|img)$/;

/** Measures all blocks and finds the clutter, in one walk. */
export class Survey implements Visitor {
  /** In the order of their ends. */
  readonly blocks: Block[] = [];
  readonly clutter: Clutter[] = [];
  /** Visible characters outside clutter. */
  keptChars = 0;
  /** All visible characters that are not excluded. */
  allChars = 0;
  private readonly open: Block[] = [];
  private linkDepth = 0;
  private proseDepth = 0;
  private mainDepth = 0;
  private articleDepth = 0;
  private openClutter: Clutter | null = null;

  constructor(
    private readonly excluded: ReadonlySet<Element>,
    /** Not clutter, whatever their classes say. */
    private readonly spared: ReadonlySet<Element>,
  ) {}

  text(data: string): void {
    const chars = countInk(data);
    const linkChars = this.linkDepth > 0 ? chars : 0;
    this.allChars += chars;
    if (this.openClutter === null) this.keptChars += chars;
    const holder = this.openClutter ?? this.open.at(-1);
    if (holder === undefined) return;
    holder.chars += chars;
    holder.linkChars += linkChars;
    if ('proseChars' in holder && this.proseDepth > 0) holder.proseChars += chars;
  }

  enter(element: Element): boolean {
    if (element.name === 'iframe' || this.excluded.has(element) || isUnseen(element)) return false;
    if (element.name === 'a') this.linkDepth++;
    if (PROSE.has(element.name)) this.proseDepth++;
    if (this.openClutter === null) this.judge(element);
    return true;
  }

  leave(element: Element): void {
    if (element.name === 'a') this.linkDepth--;
    if (PROSE.has(element.name)) this.proseDepth--;
    if (this.openClutter?.element === element) this.openClutter = null;
    if (this.open.at(-1)?.element === element) this.close();
  }

  private judge(element: Element): void {
    const hint = blockHintOf(element);
    if (this.isClutter(element, hint)) {
      const isSure = isSurelyClutter(element);
      this.openClutter = { element, isSure, chars: 0, linkChars: 0 };
      this.clutter.push(this.openClutter);
    } else if (CONTAINERS.has(element.name) || hint === 'main') {
      this.push(element, hint);
    }
  }

  private isClutter(element: Element, hint: BlockHint): boolean {
    if (this.spared.has(element)) return false;
    // The header of an article holds its title, that of a page its logo and menu.
    if (element.name === 'header') return this.mainDepth === 0 && this.articleDepth === 0;
    return hint === 'clutter' && !NEVER_CLUTTER.test(element.name);
  }

  private push(element: Element, hint: BlockHint): void {
    const isInMain = this.mainDepth > 0;
    const isInArticle = this.articleDepth > 0;
    const none = { chars: 0, linkChars: 0, proseChars: 0 };
    this.open.push({ element, hint, isInMain, isInArticle, ...none });
    if (hint === 'main') this.mainDepth++;
    if (isSection(element)) this.articleDepth++;
  }

  private close(): void {
    const block = this.open.pop();
    if (block === undefined) return;
    if (block.hint === 'main') this.mainDepth--;
    if (isSection(block.element)) this.articleDepth--;
    this.blocks.push(block);
    const outer = this.open.at(-1);
    if (outer === undefined) return;
    outer.chars += block.chars;
    outer.linkChars += block.linkChars;
    outer.proseChars += block.proseChars;
  }
}

const isSection = ({ name }: Element): boolean => name === 'article';
