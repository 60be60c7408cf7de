import { DropTask, type Delivery } from '@app/broker';
import type { MapReply, MapTask, ReplyEnvelope } from '@app/contracts';
import { discoverSitemaps } from '@app/crawl';
import { BlockedUrlError, HttpFetchError } from '@app/egress';
import { fitReply, type FitReplyOptions } from './fit-reply.js';
import {
  type PageFetcher,
  type RobotsGate,
  homepageLinks,
  termsOf,
  type MapTerms,
  MergedLinks,
  type SitemapFetcher,
  SitemapWalk,
  type WalkedSitemaps,
} from '@app/scrape';

export interface MapConsumerOptions extends FitReplyOptions {
  readonly pages: PageFetcher;
  readonly robots: RobotsGate;
  readonly sitemaps: SitemapFetcher;
}

/** Handler of the `map` queue: lists the URLs of a site, from its sitemaps or else its homepage. */
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
      if (walked.siteLinks > 0) return mapped('sitemap', walked.links, walked);
      return walked.isLate ? TIMED_OUT : await this.fromHomepage(walked);
    } catch (error) {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: this.task.url };
      throw error;
    }
  }

  private async sitemaps(): Promise<WalkedSitemaps> {
    const { origin } = this.terms;
    const places = discoverSitemaps(await this.declaredSitemaps(), origin.origin);
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

  private async fromHomepage(walked: WalkedSitemaps): Promise<MapReply> {
    const home = await homepageLinks(this.options.pages, this.terms);
    switch (home.kind) {
      case 'page': {
        const merged = new MergedLinks(this.terms.filter);
        await merged.add(home.links);
        const source = home.siteLinks > 0 ? 'crawl' : 'none';
        const cuts = [...walked.cuts, ...home.cuts, ...(merged.cut === null ? [] : [merged.cut])];
        return mapped(source, merged.links, { ...walked, cuts });
      }
      case 'blocked':
        return { kind: 'blocked', url: this.task.url };
      case 'failed': {
        const { problem, errorClass } = home;
        if (errorClass === 'timeout' || this.terms.fetchBy.isPassed) return TIMED_OUT;
        // The site was reached: it has a sitemap, even if it is empty.
        if (walked.hasSitemap) return mapped('none', [], walked);
        return { kind: 'failed', reason: 'fetch', problem };
      }
    }
  }
}

function mapped(
  source: Extract<MapReply, { kind: 'mapped' }>['source'],
  links: readonly string[],
  { isLate, cuts }: WalkedSitemaps,
): MapReply {
  return { kind: 'mapped', links, source, timedOut: isLate, cuts };
}

function parseMapTask(value: unknown): MapTask {
  const task = value as Partial<MapTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    typeof task.limit === 'number' &&
    (task.search === null || typeof task.search === 'string') &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a map task');
  return task as MapTask;
}
