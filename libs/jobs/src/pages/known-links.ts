import type { FoundLink } from '@app/crawl';

/** Jobs remembered at a time, and keys remembered per job; beyond, links are merely sent again. */
const MAX_JOBS = 64;
const MAX_KEYS = 200_000;
/** Over all jobs: about 75 bytes each. */
const MAX_TOTAL_KEYS = 1_000_000;

/**
 * Links this process has already seen committed to a frontier. Navigation repeats on every page;
 * querying the database for it each time would be most of a crawl's SQL. Only committed links are
 * added, so a link is never lost with a failed transaction. A link known as nofollow is reported
 * again when a page vouches for it.
 */
export class KnownLinks {
  private readonly jobs = new Map<string, Set<string>>();

  unknown(jobId: string, links: readonly FoundLink[]): FoundLink[] {
    const known = this.jobs.get(jobId);
    return known ? links.filter((link) => !isKnown(known, link)) : [...links];
  }

  add(jobId: string, links: readonly FoundLink[]): void {
    const known = this.keysOf(jobId);
    for (const link of links) {
      if (known.size >= MAX_KEYS) break;
      known.add(keyOf(link));
    }
    this.shrink(jobId);
  }

  /** A job that ended needs no memory. */
  forget(jobId: string): void {
    this.jobs.delete(jobId);
  }

  private shrink(current: string): void {
    let total = 0;
    for (const keys of this.jobs.values()) total += keys.size;
    for (const [jobId, keys] of this.jobs) {
      if (total <= MAX_TOTAL_KEYS || jobId === current) return;
      total -= keys.size;
      this.jobs.delete(jobId);
    }
  }

  private keysOf(jobId: string): Set<string> {
    const keys = this.jobs.get(jobId) ?? new Set<string>();
    // Re-inserting keeps the map in order of last use.
    this.jobs.delete(jobId);
    this.jobs.set(jobId, keys);
    const [oldest] = this.jobs.keys();
    if (this.jobs.size > MAX_JOBS && oldest !== undefined) this.jobs.delete(oldest);
    return keys;
  }
}

const keyOf = ({ urlKey, skip }: FoundLink): string =>
  skip === 'nofollow' ? `-${urlKey}` : urlKey;

function isKnown(known: ReadonlySet<string>, link: FoundLink): boolean {
  return known.has(link.urlKey) || (link.skip === 'nofollow' && known.has(keyOf(link)));
}
