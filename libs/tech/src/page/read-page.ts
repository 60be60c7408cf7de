import type { Deadline } from '@app/contracts';
import { type Cuts, firstBytes, isLongerThan, SCAN_CAPS } from './cut-text.js';
import { ElementStack } from './open-elements.js';
import type { PageElement } from './page-element.js';
import { scanTags, type TagSink } from './scan-tags.js';

/** What a page's tags say, each list within its cap. */
export interface PageTags {
  /** Name in lower case and content, in the order of the page. */
  readonly metas: readonly (readonly [string, string])[];
  readonly scriptUrls: readonly string[];
  readonly inlineScripts: readonly string[];
  readonly styles: readonly string[];
}

/** Sees each element that is read, with those it lies in. */
export type ElementVisitor = (element: PageElement, ancestors: readonly PageElement[]) => void;

/** Distinct tag names; a page that makes up more has its other ones counted as one kind. */
const MAX_KINDS = 2_000;

/** Reads the page's tags in one pass. `isWhole` is false when the time ran out on the way. */
export function readPage(
  html: string,
  visit: ElementVisitor,
  { cuts, deadline }: { readonly cuts: Cuts; readonly deadline: Deadline },
): { readonly tags: PageTags; readonly isWhole: boolean } {
  const reader = new PageReader(visit, cuts, deadline);
  const isWhole = scanTags(html, reader);
  return { tags: reader, isWhole };
}

class PageReader implements TagSink, PageTags {
  readonly metas: (readonly [string, string])[] = [];
  readonly scriptUrls: string[] = [];
  readonly inlineScripts: string[] = [];
  readonly styles: string[] = [];
  private readonly kinds = new Map<string, number>();
  private readonly elements = new ElementStack();
  private scriptBytesLeft: number = SCAN_CAPS.inlineScriptTotalBytes;
  private isWanted = true;

  constructor(
    private readonly visit: ElementVisitor,
    private readonly cuts: Cuts,
    private readonly deadline: Deadline,
  ) {}

  isOver(): boolean {
    return this.deadline.isPassed;
  }

  wants(name: string): boolean {
    const kind = this.kinds.size < MAX_KINDS || this.kinds.has(name) ? name : '';
    const count = (this.kinds.get(kind) ?? 0) + 1;
    this.kinds.set(kind, count);
    this.isWanted = count <= SCAN_CAPS.tagsOfAKind;
    if (!this.isWanted) this.cuts.add('item_cap');
    return this.isWanted;
  }

  open(element: PageElement): void {
    this.elements.before(element.name);
    if (this.isWanted) this.read(element);
    this.elements.open(element);
  }

  close(name: string): void {
    this.elements.close(name);
  }

  raw(element: PageElement, text: string): void {
    if (element.name === 'script' && text.trim() !== '') this.script(text);
    // A page has more style than its sample only when it is cut, and says so as `html_cap`.
    if (element.name === 'style') this.styles.push(text);
  }

  private read(element: PageElement): void {
    const source = element.name === 'script' ? element.get('src') : undefined;
    if (source) this.cuts.item(this.scriptUrls, this.cuts.value(source));
    if (element.name === 'meta') this.meta(element);
    this.visit(element, this.elements.ancestors);
  }

  private meta(element: PageElement): void {
    const content = element.get('content');
    const name = element.get('name') ?? element.get('property');
    if (name === undefined || content === undefined) return;
    this.cuts.item(this.metas, [name.trim().toLowerCase(), this.cuts.value(content)]);
  }

  private script(text: string): void {
    const limit = Math.min(SCAN_CAPS.inlineScriptBlockBytes, this.scriptBytesLeft);
    if (isLongerThan(text, limit)) this.cuts.add('inline_script_cap');
    const read = firstBytes(text, limit);
    if (read === '') return;
    this.scriptBytesLeft -= Buffer.byteLength(read);
    this.inlineScripts.push(read);
  }
}
