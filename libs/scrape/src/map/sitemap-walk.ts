import { type SitemapPlaces, MAX_CHILD_SITEMAPS, MAX_INDEX_DEPTH } from '@app/crawl';
import type { MapTerms } from './map-terms.js';
import { MergedLinks } from './merge-links.js';
import type { SitemapFetcher, SitemapOutcome } from './sitemap-fetcher.js';
import type { MapLink } from './sitemap-task.js';

/** Sitemaps of one map that are fetched at the same time: most of them are on one host. */
const AT_A_TIME = 4;

/** The result of all sitemaps of a site. */
export interface WalkedSitemaps {
  /**
   * In the order of the tree, an index before its children; without duplicates, at most the requested number.
   */
  readonly links: readonly MapLink[];
  /** Internal links in the merged files, whether they match the search or not. */
  readonly siteLinks: number;
  /** Those of them in the folder of the given page. */
  readonly folderLinks: number;
  /** A sitemap exists, even if it is empty. */
  readonly hasSitemap: boolean;
  /** Something was not read because the time was over. */
  readonly isLate: boolean;
  readonly cuts: readonly string[];
}

interface Node {
  readonly url: string;
  /** Indexes above it. */
  readonly depth: number;
  /** No index or robots.txt names it. */
  readonly isGuess: boolean;
  readonly children: Node[];
  /** Names of the limits that left out part of an index. */
  readonly cuts: Set<string>;
  outcome: SitemapOutcome | null;
}

/**
 * Fetches the sitemaps of a site and their children, each once, so that circles end. Files arrive in any order;
 * each is merged, and freed, after all files before it. Results cover the merged files alone, and the walk ends
 * as soon as they suffice.
 */
export class SitemapWalk {
  private readonly seen = new Set<string>();
  private readonly waiting: Node[] = [];
  /** Not merged yet; the last is merged next. */
  private readonly ahead: Node[] = [];
  private readonly merged: MergedLinks;
  private readonly stop = new AbortController();
  private readonly terms: MapTerms;
  private readonly cuts = new Set<string>();
  /** Size of the links from files that wait to be merged. */
  private earlyBytes = 0;
  private childCount = 0;
  private siteLinks = 0;
  private folderLinks = 0;
  private hasSitemap = false;
  private isLate = false;
  private isUnread = false;
  private isEnough = false;

  constructor(
    private readonly fetcher: SitemapFetcher,
    terms: MapTerms,
  ) {
    this.terms = { ...terms, signal: AbortSignal.any([terms.signal, this.stop.signal]) };
    this.merged = new MergedLinks(terms.filter);
  }

  async run({ own, declared, guessed, isCut }: SitemapPlaces): Promise<WalkedSitemaps> {
    if (isCut) this.cuts.add('declared');
    const roots = [
      ...own.map((url) => this.admit(url, 0, true)),
      ...declared.map((url) => this.admit(url, 0, false)),
      ...guessed.map((url) => this.admit(url, 0, true)),
    ].filter((node) => node !== null);
    this.ahead.push(...roots.toReversed());
    try {
      await this.work();
    } finally {
      this.stop.abort();
    }
    const { siteLinks, folderLinks, hasSitemap, isLate } = this;
    const { links, cut } = this.merged;
    const cuts = new Set([
      ...this.cuts,
      ...(this.isUnread ? ['unread'] : []),
      ...(cut ? [cut] : []),
    ]);
    return { links, siteLinks, folderLinks, hasSitemap, isLate, cuts: [...cuts] };
  }

  private async work(): Promise<void> {
    const lanes: Set<Promise<void>> = new Set();
    while (!this.isEnough && this.ahead.length > 0) {
      while (lanes.size < AT_A_TIME && this.startNext(lanes));
      // Fetches still running when there are enough links are aborted; only this race observes their end.
      await Promise.race(lanes);
      await this.mergeFinished();
    }
  }

  private startNext(lanes: Set<Promise<void>>): boolean {
    const node = this.takeNext();
    if (node === undefined) return false;
    const lane = this.visit(node).finally(() => lanes.delete(lane));
    lanes.add(lane);
    return true;
  }

  /** With many links in memory only the file that unblocks the others is started. */
  private takeNext(): Node | undefined {
    const isHeavy = this.merged.bytes + this.earlyBytes >= this.terms.filter.maxBytes;
    if (!isHeavy) return this.waiting.shift();
    const index = this.waiting.findIndex((node) => node === this.ahead.at(-1));
    return index < 0 ? undefined : this.waiting.splice(index, 1)[0];
  }

  private async visit(node: Node): Promise<void> {
    const { fileMs } = this.terms;
    // A sitemap that an index names may use all the time; a guessed URL leaves some to the homepage.
    const maxMs = node.depth === 0 ? fileMs : Infinity;
    const outcome = await this.fetcher.fetch(node.url, this.terms, maxMs);
    if (this.stop.signal.aborted) return;
    node.outcome = outcome;
    if (outcome.kind !== 'read') return;
    const { children, bytes } = outcome.reading;
    this.earlyBytes += bytes;
    for (const url of children) this.addChild(node, url);
  }

  private addChild(parent: Node, url: string): void {
    if (this.seen.has(url)) return;
    if (parent.depth === MAX_INDEX_DEPTH) return void parent.cuts.add('depth');
    if (this.childCount === MAX_CHILD_SITEMAPS) return void parent.cuts.add('children');
    const node = this.admit(url, parent.depth + 1, false);
    if (node === null) return;
    this.childCount++;
    parent.children.push(node);
  }

  private admit(url: string, depth: number, isGuess: boolean): Node | null {
    if (this.seen.has(url)) return null;
    this.seen.add(url);
    const node: Node = { url, depth, isGuess, children: [], cuts: new Set(), outcome: null };
    this.waiting.push(node);
    return node;
  }

  private async mergeFinished(): Promise<void> {
    let node = this.ahead.at(-1);
    while (node?.outcome && !this.isEnough) {
      this.ahead.pop();
      this.ahead.push(...node.children.toReversed());
      await this.merge(node, node.outcome);
      node = this.ahead.at(-1);
    }
  }

  private async merge(node: Node, outcome: SitemapOutcome): Promise<void> {
    if (isMissing(node)) this.isUnread = true;
    if (outcome.kind !== 'none' && outcome.isLate) this.isLate = true;
    if (outcome.kind !== 'read') return;
    const { reading } = outcome;
    if (reading.kind !== 'unknown') this.hasSitemap = true;
    this.siteLinks += reading.siteLinks;
    this.folderLinks += reading.folderLinks;
    await this.merged.add(reading.links);
    this.earlyBytes -= reading.bytes;
    for (const cut of [...reading.cuts, ...node.cuts]) this.cuts.add(cut);
    // A file that alone exceeded the limit ends the map: its missing links come before those of later files.
    this.isEnough = this.merged.cut !== null || reading.cuts.includes('link_bytes');
  }
}

/** A guessed URL that does not exist is no loss; one that fails may be. */
function isMissing({ outcome, isGuess }: Node): boolean {
  return outcome?.kind === 'failed' || (outcome?.kind === 'none' && !isGuess);
}
