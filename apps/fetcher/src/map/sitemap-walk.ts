import type { SitemapPlaces } from '@app/crawl';
import { MAX_CHILD_SITEMAPS, MAX_INDEX_DEPTH } from '@app/crawl';
import type { MapTerms } from './map-terms.js';
import type { SitemapFetcher, SitemapOutcome } from './sitemap-fetcher.js';
import type { MapLink } from './sitemap-task.js';

/** Sitemaps of one map that are fetched at a time: they lie on one host, most often. */
const AT_A_TIME = 4;

/** What the sitemaps of a site came to. */
export interface WalkedSitemaps {
  /** File by file in the order of the tree, an index before its children; doubles are left in. */
  readonly links: readonly (readonly MapLink[])[];
  /** Links of the site, whether they were searched for or not. */
  readonly siteLinks: number;
  /** A sitemap was there, be it empty. */
  readonly hasSitemap: boolean;
  /** Something was left unread because time was over. */
  readonly isLate: boolean;
  readonly cuts: readonly string[];
}

interface Node {
  readonly url: string;
  /** Indexes above it. */
  readonly depth: number;
  /** Nobody promised that it is there. */
  readonly isGuess: boolean;
  readonly children: Node[];
  outcome: SitemapOutcome | null;
}

/** Fetches the sitemaps of a site and what they lead to: each once, so that circles end. */
export class SitemapWalk {
  private readonly seen = new Set<string>();
  private readonly waiting: Node[] = [];
  private readonly cuts = new Set<string>();
  private childCount = 0;

  constructor(
    private readonly fetcher: SitemapFetcher,
    private readonly terms: MapTerms,
  ) {}

  async run({ declared, guessed, isCut }: SitemapPlaces): Promise<WalkedSitemaps> {
    if (isCut) this.cuts.add('declared');
    const roots = [
      ...declared.map((url) => this.admit(url, 0, false)),
      ...guessed.map((url) => this.admit(url, 0, true)),
    ].filter((node) => node !== null);
    const lanes: Set<Promise<void>> = new Set();
    while (this.waiting.length > 0 || lanes.size > 0) {
      while (lanes.size < AT_A_TIME && this.waiting.length > 0) this.startNext(lanes);
      await Promise.race(lanes);
    }
    return this.gather(roots);
  }

  private startNext(lanes: Set<Promise<void>>): void {
    const node = this.waiting.shift();
    if (node === undefined) return;
    const lane = this.visit(node).finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  private async visit(node: Node): Promise<void> {
    const { fileMs } = this.terms;
    // What an index names has all the time; a place that is only tried leaves some to the homepage.
    const mostMs = node.depth === 0 ? fileMs : Infinity;
    node.outcome = await this.fetcher.fetch(node.url, this.terms, mostMs);
    if (node.outcome.kind !== 'read') return;
    const { children, cuts } = node.outcome.reading;
    for (const cut of cuts) this.cuts.add(cut);
    for (const url of children) this.addChild(node, url);
  }

  private addChild(parent: Node, url: string): void {
    if (this.seen.has(url)) return;
    if (parent.depth === MAX_INDEX_DEPTH) return void this.cuts.add('depth');
    if (this.childCount === MAX_CHILD_SITEMAPS) return void this.cuts.add('children');
    const node = this.admit(url, parent.depth + 1, false);
    if (node === null) return;
    this.childCount++;
    parent.children.push(node);
  }

  private admit(url: string, depth: number, isGuess: boolean): Node | null {
    if (this.seen.has(url)) return null;
    this.seen.add(url);
    const node: Node = { url, depth, isGuess, children: [], outcome: null };
    this.waiting.push(node);
    return node;
  }

  private gather(roots: readonly Node[]): WalkedSitemaps {
    const nodes = flatten(roots);
    const readings = nodes.flatMap(({ outcome }) =>
      outcome?.kind === 'read' ? [outcome.reading] : [],
    );
    if (nodes.some(isMissing)) this.cuts.add('unread');
    return {
      links: readings.map(({ links }) => links),
      siteLinks: readings.reduce((sum, { siteLinks }) => sum + siteLinks, 0),
      hasSitemap: readings.some(({ kind }) => kind !== 'unknown'),
      isLate: nodes.some(({ outcome }) => outcome?.kind !== 'none' && outcome?.isLate === true),
      cuts: [...this.cuts],
    };
  }
}

function flatten(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}

/** A guess that is not there is no loss; one that fails may be. */
function isMissing({ outcome, isGuess }: Node): boolean {
  return outcome?.kind === 'failed' || (outcome?.kind === 'none' && !isGuess);
}
