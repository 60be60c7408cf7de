import { DropTask, type Delivery } from '@app/broker';
import type { MapReply, MapSource, MapTask, ReplyEnvelope } from '@app/contracts';
import { discoverSitemaps, seedPlaces } from '@app/crawl';
import { BlockedUrlError, HttpFetchError } from '@app/egress';
import { fitReply, type FitReplyOptions } from './fit-reply.js';
import {
  type PageFetcher,
  type RobotsGate,
  linksOfPages,
  termsOf,
  type MapTerms,
  MergedLinks,
  type PageLinks,
  type SitemapFetcher,
  SitemapWalk,
  type WalkedSitemaps,
} from '@app/scrape';

export interface MapConsumerOptions extends FitReplyOptions {
  readonly pages: PageFetcher;
  readonly robots: RobotsGate;
  readonly sitemaps: SitemapFetcher;
}

/** Handler of the `map` queue: lists the URLs of a site, from its sitemaps, feeds and llms.txt, or else its pages. */
export function mapHandler(options: MapConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<MapReply>> => {
    const task = parseMapTask(delivery.task);
    const terms = termsOf(task, delivery.signal);
    const reply = await new MapRun(task, terms, options).reply();
    // Requeued, or the connection is lost: another fetcher replies.
    delivery.signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

const TIMED_OUT: MapReply = {
  kind: 'failed',
  reason: 'timeout',
  problem: 'The map timed out before a link was found',
};

class MapRun {
  constructor(
    private readonly task: MapTask,
    private readonly terms: MapTerms,
    private readonly options: MapConsumerOptions,
  ) {}

  async reply(): Promise<MapReply> {
    try {
      const walked = await this.sitemaps();
      if (walked.siteLinks === 0 && walked.isLate) return TIMED_OUT;
      const read = await linksOfPages(this.options.pages, this.pagesAfter(walked), this.terms);
      const lists = await this.otherLists(read);
      return this.failureOf(walked, read, lists) ?? (await this.joined(walked, read, lists));
    } catch (error) {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: this.task.url };
      throw error;
    }
  }

  private async sitemaps(): Promise<WalkedSitemaps> {
    const places = discoverSitemaps(await this.declaredSitemaps(), new URL(this.task.url));
    return new SitemapWalk(this.options.sitemaps, this.terms).run(places);
  }

  /** @throws BlockedUrlError if the guard blocks the site itself */
  private async declaredSitemaps(): Promise<readonly string[]> {
    const { origin, fetchBy, fileMs, signal } = this.terms;
    const question = { deadline: fetchBy.within(fileMs), signal, ignoreRobotsTxt: false };
    try {
      return await this.options.robots.sitemaps(origin, question);
    } catch (error) {
      // An unreachable robots.txt declares nothing; each lookup below meets the same problem.
      if (error instanceof HttpFetchError) return [];
      throw error;
    }
  }

  /**
   * Without a sitemap: the given page and the homepage. The given page is also read when the sitemaps are those of
   * another part of the host: they list nothing of its folder; and for the feeds that it names.
   */
  private pagesAfter({ siteLinks, folderLinks, isLate }: WalkedSitemaps): readonly URL[] {
    const { page, origin } = this.terms;
    const given = page === null ? [] : [page];
    if (siteLinks === 0) return [...given, origin];
    if (isLate) return [];
    if (this.task.sources?.includes('feeds')) return [page ?? origin];
    return folderLinks === 0 ? given : [];
  }

  /** The given page, if it turned out to be a list of pages itself, and the sources that the caller names. */
  private async otherLists({ lists: own, feeds }: PageLinks): Promise<WalkedSitemaps> {
    const { page, origin } = this.terms;
    const places = seedPlaces(page ?? origin, feeds, this.task.sources ?? []);
    const walk = new SitemapWalk(this.options.sitemaps, this.terms);
    return walk.run({ own, declared: places.feeds, guessed: places.llmsTxt, isCut: false });
  }

  private failureOf(
    walked: WalkedSitemaps,
    read: PageLinks,
    lists: WalkedSitemaps,
  ): MapReply | null {
    if (walked.siteLinks + read.siteLinks + lists.siteLinks > 0) return null;
    if (read.isLate || lists.isLate) return TIMED_OUT;
    switch (read.failure?.kind) {
      case 'blocked':
        return { kind: 'blocked', url: this.task.url };
      case 'failed':
        // The site was reached if it has a sitemap, even an empty one.
        return walked.hasSitemap || lists.hasSitemap
          ? null
          : { kind: 'failed', reason: 'fetch', problem: read.failure.problem };
      case undefined:
        return null;
    }
  }

  /** Links of the given page first: `limit` cuts off the end. */
  private async joined(
    walked: WalkedSitemaps,
    read: PageLinks,
    lists: WalkedSitemaps,
  ): Promise<MapReply> {
    const merged = new MergedLinks(this.terms.filter);
    const own = read.lists.length > 0 ? [lists.links] : [];
    for (const file of [...own, ...read.files, walked.links, lists.links]) await merged.add(file);
    const ofMerge = merged.cut ? [merged.cut] : [];
    const cuts = new Set([...walked.cuts, ...read.cuts, ...lists.cuts, ...ofMerge]);
    return {
      kind: 'mapped',
      links: merged.links.map(({ url }) => url),
      source: sourceOf(walked.siteLinks + lists.siteLinks, read),
      timedOut: walked.isLate || read.isLate || lists.isLate,
      cuts: [...cuts],
    };
  }
}

function sourceOf(listedLinks: number, read: PageLinks): MapSource {
  if (listedLinks > 0) return 'sitemap';
  return read.siteLinks > 0 ? 'crawl' : 'none';
}

function parseMapTask(value: unknown): MapTask {
  const task = value as Partial<MapTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    typeof task.limit === 'number' &&
    (task.search === null || typeof task.search === 'string') &&
    (task.sources === undefined || Array.isArray(task.sources)) &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a map task');
  return task as MapTask;
}
