import { RepeatedBlocks, withoutBlocks } from '@app/content';
import type { PageResult } from '@app/scrape';
import type { ClaimedPage } from '../frontier/claim-pages.js';

/** Hosts of jobs that this process remembers; each has at most 20,000 blocks. */
const MAX_HOSTS = 50;

/** A page's Markdown without what earlier pages of its host have, too. */
export interface ShortenedPage {
  readonly markdown: string;
  readonly blocks: number;
  readonly characters: number;
}

/**
 * What the pages of a job repeat, by host, as far as this process stored them. Each process learns by itself and a new one begins
 * anew, so a block may stay on a few more pages; the copies that it was learned from are always stored.
 */
export class RepeatedParts {
  /** The one used last comes last. */
  private readonly hosts = new Map<string, RepeatedBlocks>();

  /** Null: the job does not want it, or the page repeats nothing. */
  without(page: ClaimedPage, result: PageResult): ShortenedPage | null {
    if (result.kind !== 'document' || !result.blocks) return null;
    const dropped = this.hosts.get(keyOf(page, result.document.url))?.repeatedIn(result.blocks);
    if (dropped === undefined || dropped.size === 0) return null;
    const whole = result.document.markdown ?? '';
    const { markdown, characters } = withoutBlocks(whole, result.blocks, dropped);
    return { markdown, blocks: dropped.size, characters };
  }

  /** A page was stored. */
  learn(page: ClaimedPage, result: PageResult): void {
    if (result.kind !== 'document' || !result.blocks) return;
    const key = keyOf(page, result.document.url);
    const host = this.hosts.get(key) ?? new RepeatedBlocks();
    host.learn(result.blocks);
    this.hosts.delete(key);
    this.hosts.set(key, host);
    const [oldest] = this.hosts.keys();
    if (this.hosts.size > MAX_HOSTS && oldest !== undefined) this.hosts.delete(oldest);
  }
}

function keyOf({ jobId }: ClaimedPage, url: string): string {
  return `${jobId} ${new URL(url).host}`;
}
