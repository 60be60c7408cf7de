import type { Document, Element } from 'domhandler';
import { countInk, isUnseen } from '../dom/visibility.js';
import { walk, type Visitor } from '../dom/walk.js';
import { HintReader, type BlockHint } from './block-hints.js';

/**
 * A block-level element, or an inline one that can be left out by itself, with the text it holds.
 * Text is measured in ink: characters that are not white space. Blocks are numbered in document
 * order, so those inside one are the numbers after its own, up to `end`.
 */
export interface Block {
  readonly element: Element;
  readonly name: string;
  readonly index: number;
  readonly parent: Block | null;
  readonly hint: BlockHint;
  /** Inside an article or the main landmark. */
  readonly isInContent: boolean;
  /** Part of a picture's frame: a caption or a credit if it is text. */
  readonly isInFigure: boolean;
  /** Number after that of the last block inside. */
  end: number;
  /** Its own text, without that of blocks inside; `<br>` is a line feed. */
  text: string;
  ownInk: number;
  ownLinkInk: number;
  /** With blocks inside. */
  ink: number;
  linkInk: number;
  images: number;
  /** Links in it, and those of them that surely lead to no other page of this site. */
  links: number;
  awayLinks: number;
  /** The text of the block around it goes on right after this one. */
  isFollowed: boolean;
}

/** All blocks of a page that a reader sees, and other signs of its kind. */
export interface BlockTree {
  readonly blocks: readonly Block[];
  /** Of all text, and of that inside blocks. */
  readonly ink: number;
  readonly blockInk: number;
  readonly metas: readonly Element[];
  /** `<title>`, until the body. */
  readonly titles: readonly Element[];
}

const BLOCK_NAMES = new Set(
  'html body div p section article main ul ol li dl dt dd table caption tbody thead tfoot tr td th h1 h2 h3 h4 h5 h6 blockquote pre figure figcaption header footer nav aside form fieldset details summary address center hgroup menu dialog search'.split(
    ' ',
  ),
);

/** What in a figure is no caption: a table, code or a quotation shown as one. */
const FIGURE_CONTENT = new Set(['table', 'pre', 'blockquote', 'ul', 'ol', 'dl']);

/** Reads the blocks of a page in one walk; what is excluded is not there. */
export function readBlocks(document: Document, excluded: ReadonlySet<Element>): BlockTree {
  const reader = new BlockReader(excluded);
  walk(document, reader);
  return reader;
}

const EMPTY = {
  text: '',
  ownInk: 0,
  ownLinkInk: 0,
  ink: 0,
  linkInk: 0,
  images: 0,
  links: 0,
  awayLinks: 0,
  isFollowed: false,
};

class BlockReader implements Visitor, BlockTree {
  readonly blocks: Block[] = [];
  readonly metas: Element[] = [];
  readonly titles: Element[] = [];
  ink = 0;
  blockInk = 0;
  private readonly hints = new HintReader();
  private readonly targets = new LinkTargets();
  private block: Block | null = null;
  /** The block that ended last, until other text follows. */
  private ended: Block | null = null;
  private linkDepth = 0;

  constructor(private readonly excluded: ReadonlySet<Element>) {}

  text(data: string): void {
    const { block } = this;
    const ink = countInk(data);
    this.ink += ink;
    if (block === null) return;
    block.text += data;
    if (ink === 0) return;
    this.blockInk += ink;
    block.ownInk += ink;
    if (this.linkDepth > 0) block.ownLinkInk += ink;
    if (this.ended?.parent === block) this.ended.isFollowed = true;
    this.ended = null;
  }

  enter(element: Element): boolean {
    const { name } = element;
    if (this.excluded.has(element)) return false;
    if (name === 'head') return true;
    if (isUnseen(element)) {
      if (name === 'meta') this.metas.push(element);
      else if (name === 'title') this.titles.push(element);
      if (name === 'link' || name === 'meta') this.targets.learnSite(element);
      return false;
    }
    if (name === 'iframe') return false;
    if (name === 'a') this.enterLink(element);
    else if (this.block !== null) this.noteInline(name, this.block);
    this.open(element);
    return true;
  }

  leave(element: Element): void {
    if (element.name === 'a') this.linkDepth--;
    if (this.block?.element === element) this.close(this.block);
  }

  private enterLink(link: Element): void {
    this.linkDepth++;
    if (this.block === null || link.attribs.href === undefined) return;
    this.block.links++;
    if (this.targets.isAway(link.attribs.href)) this.block.awayLinks++;
  }

  private noteInline(name: string, block: Block): void {
    if (name === 'br') block.text += '\n';
    else if (name === 'img' || name === 'picture' || name === 'video') block.images++;
  }

  private open(element: Element): void {
    const { name } = element;
    const hint = this.hints.hintOf(element);
    const parent = this.block;
    const isFramed = parent !== null && parent.isInFigure && !FIGURE_CONTENT.has(name);
    if (!BLOCK_NAMES.has(name) && !isSetApart(hint) && !isFramed) return;
    const index = this.blocks.length;
    const isInFigure = name === 'figure' || isFramed;
    const isInContent = parent !== null && (parent.isInContent || isContent(parent));
    const place = { element, name, index, parent, hint, isInContent, isInFigure };
    const block: Block = { ...place, ...EMPTY, end: index + 1 };
    this.blocks.push(block);
    this.block = block;
  }

  private close(block: Block): void {
    const { parent } = block;
    block.end = this.blocks.length;
    block.ink += block.ownInk;
    block.linkInk += block.ownLinkInk;
    this.block = parent;
    if (parent === null) return;
    parent.ink += block.ink;
    parent.linkInk += block.linkInk;
    parent.images += block.images;
    parent.links += block.links;
    parent.awayLinks += block.awayLinks;
    this.ended = block;
  }
}

/** Inline elements with such hints can be left out of the text around them. */
const isSetApart = (hint: BlockHint): boolean => hint !== 'none' && hint !== 'content';

const isContent = ({ name, hint }: Block): boolean =>
  name === 'article' || hint === 'main' || hint === 'body';

/** A block with text and no other block with text inside. */
export const isLeaf = ({ ownInk, ink }: Block): boolean => ownInk > 0 && ownInk === ink;

const PHRASES =
  /^(?:a|abbr|b|cite|code|data|dfn|em|font|i|kbd|mark|q|s|samp|small|strong|sub|sup|time|u|var)$/;

/** Characters of text around a phrase that make it a part of a sentence. */
const MIN_INK_AROUND_PHRASE = 50;

/** Whether an inline element is in running text, which would break without it. */
export function isPhrase({ name, parent }: Block): boolean {
  if (parent === null || !PHRASES.test(name)) return false;
  return parent.ownInk - parent.ownLinkInk >= MIN_INK_AROUND_PHRASE;
}

/** Whether a block is another one or inside it. */
export const isInsideBlock = (block: Block, outer: Block): boolean =>
  block.index >= outer.index && block.end <= outer.end;

/** Walks blocks in document order; `visit` answers whether to go inside. */
export function eachBlock(
  blocks: readonly Block[],
  visit: (block: Block) => boolean,
  from = 0,
  to = blocks.length,
): void {
  for (let at = from; at < to;) {
    const block = blocks[at];
    if (block === undefined) return;
    at = visit(block) ? at + 1 : block.end;
  }
}

/** Files a text offers: never a page of the site's own lists. */
const FILE =
  /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|json|xml|ya?ml|txt|epub|zip|gz|tgz|xz|bz2|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|iso|jar|whl)(?:[?#].*)?$/i;

/** Where sites list their own accounts and buttons to share: other hosts, but about this site. */
const SHARING =
  /(?:^|\.)(?:facebook|twitter|x|linkedin|pinterest|reddit|whatsapp|telegram|t|tumblr|instagram|youtube|tiktok|flipboard|threads|snapchat|vk|getpocket|google|apple|amazon|feedly|doubleclick|outbrain|taboola)\.[a-z.]{2,6}$/;

const MAX_HREF_CHARS = 2_000;

/** Facts about links that need no page address: whether they lead to files or other sites. */
class LinkTargets {
  /** As the page gives it. Pages that do not tend to link to their own site without its name. */
  private site: string | null = null;

  /** `<link rel=canonical>` and `og:url` name the site of the page. */
  learnSite({ attribs: { rel, href, property, content } }: Element): void {
    const isCanonical = rel?.trim().toLowerCase() === 'canonical';
    const url = isCanonical ? href : property === 'og:url' ? content : undefined;
    if (url !== undefined) this.site ??= siteOf(url);
  }

  isAway(href: string): boolean {
    if (href.length > MAX_HREF_CHARS) return false;
    if (FILE.test(href)) return true;
    const site = siteOf(href);
    return site !== null && site !== this.site && !SHARING.test(site);
  }
}

const SECOND_LEVEL = /^(?:ac|co|com|edu|gob|gov|go|gv|ne|net|or|org)$/;

/** "example.co.uk" of "https://www.example.co.uk/a": roughly the registered name. */
function siteOf(href: string): string | null {
  const host = /^\s*(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(href)?.[1]?.toLowerCase();
  if (host === undefined) return null;
  const parts = host.split('.');
  const isOfCountry = parts.length > 2 && SECOND_LEVEL.test(parts.at(-2) ?? '');
  return parts.slice(isOfCountry ? -3 : -2).join('.');
}
