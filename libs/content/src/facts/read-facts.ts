import type { PageFacts } from '@app/contracts';
import type { Element } from 'domhandler';
import { isArticleNoscript } from '../dom/late-text.js';
import type { ParsedPage } from '../dom/parse-html.js';
import { scriptText } from '../dom/script-element.js';
import { countInk, isHidden, isUnseen } from '../dom/visibility.js';
import { collapse, textOf, walk, type Visitor } from '../dom/walk.js';
import { blockRoleOf } from '../markdown/element-role.js';
import { findHoles } from './find-holes.js';
import { isLoadingText } from './loading-text.js';
import { mountMarkOf } from './mount-mark.js';
import { TextSample } from './text-sample.js';
import { MAX_LINK_URL_CHARS } from '../limits.js';

const MAX_TITLE_CHARS = 500;
const MAX_TEXT_CHARS = 4_000;
const MAX_NOSCRIPT_CHARS = 1_000;
const MAX_SCRIPT_SRCS = 50;
const MAX_INLINE_SCRIPTS = 10;
const MAX_INLINE_SCRIPT_CHARS = 2_000;
/** Of all inline scripts, for the elements they name. */
const MAX_CODE_CHARS = 100_000;
/** A page with more text outside links is not judged by what it lacks. */
const MAX_UNLINKED_CHARS = 3_000;
const MAX_FRAMES = 20;
const MAX_FORMS = 10;
const MAX_MOUNTS = 10;
const MAX_MARKED_ELEMENTS = 200;
const MAX_CLASSES_PER_ELEMENT = 10;
const MAX_MARK_CHARS = 100;
/** Elements, from the top, whose attributes may say that an application mounts there. */
const MAX_ATTRIBUTE_LOOKS = 300;
/** An address longer than this is data. */
const MAX_ADDRESS_CHARS = 500;

/** Facts of an HTML page, and how much of its text is there but hidden from readers. */
export interface PageSurvey {
  readonly facts: PageFacts;
  /** Characters, white space apart; those of controls, scripts and noscript are not among them. */
  readonly hiddenChars: number;
  /** Whether an article has text for readers without scripts. */
  readonly hasArticleNoscript: boolean;
}

/** By one walk over the tree, and another one over pages with little text. */
export function surveyPage({ document, described }: ParsedPage): PageSurvey {
  const reader = new FactsReader();
  walk(document, reader);
  const title = described.find(({ name }) => name === 'title');
  const read = reader.finish();
  const facts = {
    ...read,
    ...holesOf(document, read, reader.codes),
    title: title === undefined ? '' : tidy(textOf(title, 4 * MAX_TITLE_CHARS), MAX_TITLE_CHARS),
    metaRefresh: metaRefreshOf(described),
  };
  const { hiddenChars, hasArticleNoscript } = reader;
  return { facts, hiddenChars, hasArticleNoscript };
}

function holesOf(
  document: ParsedPage['document'],
  { visibleChars, linkChars, text }: WalkedFacts,
  codes: readonly string[],
): Pick<PageFacts, 'contentChars' | 'holes'> {
  if (visibleChars - linkChars > MAX_UNLINKED_CHARS)
    return { contentChars: visibleChars, holes: [] };
  const found = findHoles(document, { codes, visibleChars });
  return isLoadingText(text)
    ? { ...found, holes: [{ kind: 'loading', name: 'body' }, ...found.holes] }
    : found;
}

/** Facts of a body that is all text: what a reader sees is the body. */
export function plainFacts(text: string): PageFacts {
  const sample = new TextSample(MAX_TEXT_CHARS);
  sample.add(text);
  const none = { ...new FactsReader().finish(), title: '', metaRefresh: null, holes: [] };
  const chars = countInk(text);
  return { ...none, visibleChars: chars, contentChars: chars, text: sample.finish() };
}

type WalkedFacts = Omit<PageFacts, 'title' | 'metaRefresh' | 'contentChars' | 'holes'>;

/** An open element where an application mounts, and what had been seen before it. */
interface OpenMount {
  readonly element: Element;
  readonly mark: string;
  readonly seenBefore: number;
}

/**
 * Gathers facts while the tree is walked. Unlike the Markdown writer it enters hidden elements too:
 * challenge pages hide their forms and frames.
 */
class FactsReader implements Visitor {
  private visibleChars = 0;
  private linkChars = 0;
  private linkDepth = 0;
  private readonly sample = new TextSample(MAX_TEXT_CHARS);
  private readonly noscript = new TextSample(MAX_NOSCRIPT_CHARS);
  hiddenChars = 0;
  hasArticleNoscript = false;
  /** The outermost open element that no reader sees. */
  private hiddenBy: Element | null = null;
  /** The outermost open element that its page hides, which the one above need not be. */
  private concealedBy: Element | null = null;
  private openNoscript: Element | null = null;
  private scripts = 0;
  private readonly scriptSrcs: string[] = [];
  private inlineScriptChars = 0;
  private readonly inlineScripts: string[] = [];
  readonly codes: string[] = [];
  private codeChars = 0;
  private readonly openMounts: OpenMount[] = [];
  private readonly emptyMounts: string[] = [];
  private readonly frameSrcs: string[] = [];
  private readonly formActions: string[] = [];
  private passwordFields = 0;
  private entered = 0;
  private markedElements = 0;
  private readonly marks = new Set<string>();
  private images = 0;

  text(data: string): void {
    if (this.hiddenBy === null) this.seenText(data);
    else if (this.openNoscript !== null) this.noscript.add(data);
    else if (this.concealedBy !== null) this.hiddenChars += countInk(data);
  }

  enter(element: Element): boolean {
    const { attribs } = element;
    if (this.markedElements < MAX_MARKED_ELEMENTS) this.keepMarks(attribs);
    if (!this.enterByName(element)) return false;
    this.noteHiding(element);
    if (this.openMounts.length < MAX_MOUNTS) this.openMount(element);
    if (!this.sample.isFull && blockRoleOf(element.name) !== undefined) this.space();
    return true;
  }

  leave(element: Element): void {
    if (this.hiddenBy === element) this.hiddenBy = null;
    if (this.concealedBy === element) this.concealedBy = null;
    if (this.openNoscript === element) this.openNoscript = null;
    if (element.name === 'a') this.linkDepth--;
    if (this.openMounts.at(-1)?.element === element) this.closeMount();
    if (!this.sample.isFull && blockRoleOf(element.name) !== undefined) this.space();
  }

  finish(): WalkedFacts {
    return {
      visibleChars: this.visibleChars,
      linkChars: this.linkChars,
      text: this.sample.finish(),
      noscriptText: this.noscript.finish(),
      scripts: this.scripts,
      scriptSrcs: this.scriptSrcs,
      inlineScriptChars: this.inlineScriptChars,
      inlineScripts: this.inlineScripts,
      emptyMounts: this.emptyMounts,
      frameSrcs: this.frameSrcs,
      formActions: this.formActions,
      passwordFields: this.passwordFields,
      marks: [...this.marks],
      images: this.images,
    };
  }

  private noteHiding(element: Element): void {
    if (this.hiddenBy === null && isUnseen(element)) this.hiddenBy = element;
    // What is hidden is unseen, so nothing else has to be asked.
    if (this.hiddenBy === null || this.concealedBy !== null) return;
    if (isHidden(element)) this.concealedBy = element;
  }

  /** Notes what the element is; false: nothing below it matters. */
  private enterByName(element: Element): boolean {
    const role = ROLES.get(element.name);
    return role === undefined || this.enterAs(role, element);
  }

  private enterAs(role: Role, element: Element): boolean {
    const { name, attribs } = element;
    switch (role) {
      case 'script':
        this.keepScript(element);
        return false;
      case 'closed':
        return false;
      case 'link':
        this.linkDepth++;
        return true;
      case 'noscript':
        this.openNoscript ??= element;
        this.hasArticleNoscript ||= isArticleNoscript(element);
        return true;
      case 'image':
        if (this.hiddenBy === null && isSeenImage(element)) this.images++;
        return true;
      case 'media':
        // Watched or heard instead of read.
        if (this.hiddenBy === null) this.images++;
        return name === 'video' || name === 'audio';
      case 'frame':
        keep(this.frameSrcs, frameAddress(attribs), MAX_FRAMES);
        return false;
      case 'form':
        keep(this.formActions, attribs.action ?? '', MAX_FORMS);
        return true;
      case 'input':
        if (this.hiddenBy === null && isPasswordField(attribs)) this.passwordFields++;
        return true;
    }
  }

  private seenText(data: string): void {
    const ink = countInk(data);
    this.visibleChars += ink;
    if (this.linkDepth > 0) this.linkChars += ink;
    if (!this.sample.isFull) this.sample.add(data);
  }

  private space(): void {
    if (this.hiddenBy === null) this.sample.space();
    else if (this.openNoscript !== null) this.noscript.space();
  }

  private keepScript(element: Element): void {
    const { src, type } = element.attribs;
    if (type !== undefined && !RUNNING_TYPE.test(type)) return;
    this.scripts++;
    if (src !== undefined) return keep(this.scriptSrcs, src, MAX_SCRIPT_SRCS);
    const code = scriptText(element);
    this.inlineScriptChars += code.length;
    if (code.trim() === '') return;
    keep(this.inlineScripts, code, MAX_INLINE_SCRIPTS, INLINE_CUT);
    if (this.codeChars >= MAX_CODE_CHARS) return;
    this.codes.push(code.slice(0, MAX_CODE_CHARS - this.codeChars));
    this.codeChars += code.length;
  }

  private keepMarks({ id, class: classes }: Readonly<Record<string, string>>): void {
    if (id === undefined && classes === undefined) return;
    this.markedElements++;
    if (id) this.marks.add(`#${id.slice(0, MAX_MARK_CHARS)}`);
    if (!classes) return;
    const names = classes.slice(0, MAX_CLASSES_PER_ELEMENT * MAX_MARK_CHARS).split(' ');
    for (const name of names.slice(0, MAX_CLASSES_PER_ELEMENT)) {
      // White space other than spaces is rare enough to be trimmed only.
      const trimmed = name.trim();
      if (trimmed !== '') this.marks.add(`.${trimmed.slice(0, MAX_MARK_CHARS)}`);
    }
  }

  private openMount(element: Element): void {
    const mark = mountMarkOf(element, this.entered++ < MAX_ATTRIBUTE_LOOKS);
    if (mark === undefined) return;
    this.openMounts.push({ element, mark, seenBefore: this.visibleChars });
  }

  private closeMount(): void {
    const mount = this.openMounts.pop();
    if (mount === undefined || mount.seenBefore !== this.visibleChars) return;
    keep(this.emptyMounts, mount.mark, MAX_MOUNTS, MAX_MARK_CHARS);
  }
}

type Role =
  'script' | 'closed' | 'link' | 'noscript' | 'image' | 'media' | 'frame' | 'form' | 'input';

/** What elements are to the reader of facts; one look-up per element. */
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['script', 'script'],
  ['a', 'link'],
  ['noscript', 'noscript'],
  ['img', 'image'],
  ['form', 'form'],
  ['input', 'input'],
  ...['style', 'template', 'svg', 'select', 'datalist'].map((name) => [name, 'closed'] as const),
  ...['video', 'audio', 'object', 'embed'].map((name) => [name, 'media'] as const),
  ...['iframe', 'frame'].map((name) => [name, 'frame'] as const),
]);

/**
 * Types that run: scripts of JSON, templates and speculation rules do not. Optimisers put a prefix.
 */
const RUNNING_TYPE =
  /^\s*(?:$|(?:[\w-]+-)?(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script))/i;

const INLINE_CUT = MAX_INLINE_SCRIPT_CHARS;

function frameAddress({ src, srcdoc, 'data-src': lazy }: Readonly<Record<string, string>>): string {
  return srcdoc === undefined ? (src ?? lazy ?? '') : 'about:srcdoc';
}

function isPasswordField({ type, autocomplete }: Readonly<Record<string, string>>): boolean {
  return type?.trim().toLowerCase() === 'password' && !/\bnew-password\b/i.test(autocomplete ?? '');
}

/** Pixels count visits; no reader sees them. */
function isSeenImage({ attribs }: Element): boolean {
  return !(isPixel(attribs.width) && isPixel(attribs.height));
}

const isPixel = (size: string | undefined): boolean =>
  size !== undefined && /^\s*[01](?:px)?\s*$/.test(size);

function keep(list: string[], text: string, most: number, maxChars = MAX_ADDRESS_CHARS): void {
  if (list.length < most) list.push(text.slice(0, maxChars).toWellFormed());
}

function tidy(text: string, maxChars: number): string {
  return collapse(text).slice(0, maxChars).toWellFormed().replaceAll('\0', '');
}

/**
 * Target of a `<meta http-equiv=refresh>` (HTML standard 4.2.5.3), as written; empty when the page
 * names itself by naming nothing. Null without a refresh that a browser would follow.
 */
function metaRefreshOf(described: readonly Element[]): string | null {
  for (const { name, attribs, parent } of described) {
    if (name !== 'meta' || attribs['http-equiv']?.trim().toLowerCase() !== 'refresh') continue;
    // In a noscript it is for browsers without scripts; the rungs either run scripts or are no browser.
    if (parent !== null && 'name' in parent && parent.name === 'noscript') continue;
    const target = targetOf(attribs.content ?? '');
    if (target !== null) return target;
  }
  return null;
}

function targetOf(content: string): string | null {
  const text = content.slice(0, MAX_LINK_URL_CHARS).trim();
  const time = /^(?:\d+(?:\.[\d.]*)?|\.\d[\d.]*)/.exec(text)?.[0];
  if (time === undefined) return null;
  const rest = text.slice(time.length).replace(/^\s*[;,]?\s*/, '');
  const url = rest.replace(/^url\s*=\s*/i, '');
  const quote = url.charAt(0);
  if (quote !== '"' && quote !== "'") return url.trim();
  const end = url.indexOf(quote, 1);
  return (end === -1 ? url.slice(1) : url.slice(1, end)).trim();
}
