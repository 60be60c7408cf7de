import type { Deadline } from '@app/contracts';
import { type ScanInput, TECH_REASONS, type Technology, type TechReason } from '../technology.js';
import type { MarkIndex } from '../literals/mark-index.js';
import { type LongText, piecesFor } from '../literals/windows.js';
import { Cuts } from '../page/cut-text.js';
import { elementText } from '../page/element-text.js';
import type { PageElement } from '../page/page-element.js';
import { type ElementVisitor, type PageTags, readPage } from '../page/read-page.js';
import { sampleHtml } from '../page/sample-html.js';
import { conclude } from './conclude.js';
import { AssetHosts, isAddress, withAddresses, withoutHost } from './asset-hosts.js';
import { Evidence } from './evidence.js';
import type { Mark } from './mark.js';
import type { ElementMark, FingerprintSet, NamedMarks } from './fingerprint-set.js';

export interface ScanOutcome {
  /** By confidence (highest first), category, name. */
  readonly technologies: readonly Technology[];
  /** In the order of TECH_REASONS, each once. */
  readonly reasons: readonly TechReason[];
  /** Bytes of HTML read (UTF-8). */
  readonly scannedBytes: number;
}

/**
 * Matches one page against the set. Never throws for what a page holds. Caps cut and are named in `reasons`;
 * so is `time_budget` when the deadline passed before every fingerprint was tried: the results until then
 * are returned. The clock is read between patterns and pieces of text: a single pattern that V8 runs can
 * hold the thread longer, so a caller that accepts foreign patterns runs this in a thread that can be killed.
 */
export function scanPage(
  set: FingerprintSet,
  input: ScanInput,
  limits: { readonly deadline: Deadline },
): ScanOutcome {
  const scan = new PageScan(set, limits.deadline, new AssetHosts(input.url));
  const scannedBytes = scan.run(input);
  return {
    technologies: conclude(set, scan.evidence.findings),
    reasons: TECH_REASONS.filter((reason) => scan.cuts.reasons.has(reason)),
    scannedBytes,
  };
}

/** More marks at other hosts than this are left aside. */
const MAX_ELSEWHERE = 1_000;

/** A mark that a path of another domain shows. */
interface ShownElsewhere {
  readonly domain: string;
  readonly mark: Mark;
  readonly text: string;
}

class PageScan {
  readonly cuts = new Cuts();
  readonly evidence: Evidence;
  private readonly elsewhere: ShownElsewhere[] = [];
  /** The element that is met and its text, once it was requested. */
  private textOf: { readonly element: PageElement; readonly text: string } | undefined;

  constructor(
    private readonly set: FingerprintSet,
    private readonly deadline: Deadline,
    private readonly hosts: AssetHosts,
  ) {
    this.evidence = new Evidence(set.markCount);
  }

  /** What costs least goes first, so that little time still finds much. Returns the bytes read. */
  run(input: ScanInput): number {
    const { set, cuts } = this;
    const { texts, tagged, scannedBytes } = sampleHtml(input.html, cuts);
    this.named(set.headers, headersOf(input));
    this.named(set.cookies, Object.entries(input.cookies));
    this.named(set.globals, Object.entries(input.globals ?? {}));
    this.values(set.url, [cuts.value(input.url)]);
    const tags = this.page(tagged);
    this.named(set.meta, tags.metas);
    this.addresses(set.scriptSrc, tags.scriptUrls);
    this.addresses(set.network, this.capped(input.requests ?? []));
    for (const text of tags.inlineScripts) this.long(set.scripts, whole(text));
    for (const text of tags.styles) this.long(set.css, whole(text));
    for (const text of texts) this.long(set.html, text);
    return scannedBytes;
  }

  private isOver(): boolean {
    if (!this.deadline.isPassed) return false;
    this.cuts.add('time_budget');
    return true;
  }

  private page(html: string): PageTags {
    const visit: ElementVisitor = (element, ancestors) => {
      const elsewhere = this.shownByPath(element, ancestors);
      this.set.dom.match(element, ancestors, (rules) => {
        for (const rule of rules) this.element(rule, element, html, () => elsewhere(rules, rule));
      });
    };
    const { tags, isWhole } = readPage(html, visit, { cuts: this.cuts, deadline: this.deadline });
    if (!isWhole) this.cuts.add('time_budget');
    for (const { domain, mark, text } of this.elsewhere)
      if (this.hosts.servesMost(domain)) this.evidence.try(mark, text);
    return tags;
  }

  /**
   * For a tag with an address of another domain: which of the rules that mean it would mean it at any host, and so say
   * something of that domain alone. The domain, or null: the rule is about the page.
   */
  private shownByPath(
    element: PageElement,
    ancestors: readonly PageElement[],
  ): (rules: readonly ElementMark[], rule: ElementMark) => string | null {
    const domain = this.hosts.meet(element);
    if (domain === null) return () => null;
    const anywhere = withAddresses(element, withoutHost);
    const meaning = (one: PageElement) => {
      const meant = new Set<readonly ElementMark[]>();
      this.set.dom.match(one, ancestors, (rules) => void meant.add(rules));
      return meant;
    };
    let byPath: ReadonlySet<readonly ElementMark[]> | undefined;
    let byRest: ReadonlySet<readonly ElementMark[]> | undefined;
    return (rules, { mark, of }) => {
      if (!this.isOfSite(mark)) return null;
      byPath ??= meaning(anywhere);
      byRest ??= meaning(withAddresses(element, () => ''));
      const value =
        of.kind === 'attribute' && isAddress(of.name) ? anywhere.get(of.name) : undefined;
      const isPath = value === undefined ? !byRest.has(rules) : mark.pattern.test(value);
      return isPath && byPath.has(rules) ? domain : null;
    };
  }

  private isOfSite({ technology }: Mark): boolean {
    return this.set.technologies[technology]?.isOfSite === true;
  }

  /** @param elsewhere domain that the rule is about, if that is not the page's */
  private element(
    { mark, of }: ElementMark,
    element: PageElement,
    html: string,
    elsewhere: () => string | null,
  ): void {
    if (this.evidence.isSettled(mark) || this.isOver()) return;
    const text = this.textFor(of, element, html);
    if (text === undefined) return;
    const domain = elsewhere();
    if (domain === null) this.evidence.try(mark, text);
    else if (this.elsewhere.length < MAX_ELSEWHERE) this.elsewhere.push({ domain, mark, text });
  }

  private textFor(of: ElementMark['of'], element: PageElement, html: string): string | undefined {
    if (of.kind === 'exists') return '';
    if (of.kind === 'text') return this.text(element, html);
    const value = element.get(of.name);
    return value === undefined ? undefined : this.cuts.value(value);
  }

  private text(element: PageElement, html: string): string {
    if (this.textOf?.element !== element)
      this.textOf = { element, text: elementText(html, element.name, element.end) };
    return this.textOf.text;
  }

  private capped<T>(items: readonly T[]): readonly T[] {
    const kept: T[] = [];
    for (const item of items.slice(0, 501)) this.cuts.item(kept, item);
    return kept;
  }

  private named(marks: NamedMarks, items: readonly (readonly [string, string])[]): void {
    for (const [name, value] of this.capped(items)) {
      const text = this.cuts.value(value);
      const exact = marks.byName.get(name);
      if (exact !== undefined) this.value(exact, text);
      for (const [length, byPrefix] of marks.byPrefix) {
        const index = byPrefix.get(name.slice(0, length));
        if (index !== undefined) this.value(index, text);
      }
    }
  }

  private values(index: MarkIndex, values: readonly string[]): void {
    for (const value of values) this.value(index, this.cuts.value(value));
  }

  /** What the path of another domain says of the software of a site is about that one. */
  private addresses(index: MarkIndex, addresses: readonly string[]): void {
    for (const address of addresses) {
      const value = this.cuts.value(address);
      const domain = this.hosts.elsewhere(value);
      const isOwn = domain === null || this.hosts.servesMost(domain);
      const path = isOwn ? null : withoutHost(value);
      const counts = (mark: Mark): boolean =>
        path === null || !this.isOfSite(mark) || !mark.pattern.test(path);
      this.value(index, value, counts);
    }
  }

  private value(index: MarkIndex, value: string, counts = (_: Mark) => true): void {
    if (this.isOver()) return;
    for (const mark of index.candidates(value)) {
      if (this.evidence.isSettled(mark)) continue;
      if (this.isOver()) return;
      if (counts(mark)) this.evidence.try(mark, value);
    }
  }

  private long(index: MarkIndex, text: LongText): void {
    if (index.marks.length === 0 || this.isOver()) return;
    for (const { mark, runs } of index.located(text.text)) {
      if (this.evidence.isSettled(mark)) continue;
      for (const piece of piecesFor(text, mark.pattern, runs)) {
        if (this.isOver()) return;
        if (this.evidence.try(mark, piece)) break;
      }
    }
  }
}

function whole(text: string): LongText {
  return { text, isStart: true, isEnd: true };
}

function headersOf({ headers }: ScanInput): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name.toLowerCase(), value]),
  );
}
