import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SiteServer } from '@app/testing';

export interface Arrivals {
  /** Milliseconds between the page requests, in their order; robots.txt is none. */
  readonly gapsMs: readonly number[];
  /**
   * How late this process may have noticed a request: a gap looks shorter by as much when the request
   * before it was noticed late, which is not the sender's doing.
   */
  readonly lateMs: number;
}

/** Watches a site of this process from now on; call what it returns for what came. */
export function watchArrivals(
  site: Pick<SiteServer, 'requests'>,
  isPage = isNoRobots,
): () => Arrivals {
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  return () => {
    lag.disable();
    const times = site
      .requests()
      .filter(({ path }) => isPage(path))
      .map(({ atMs }) => atMs);
    const gapsMs = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    return { gapsMs, lateMs: lag.max / 1e6 };
  };
}

function isNoRobots(path: string): boolean {
  return path !== '/robots.txt';
}
