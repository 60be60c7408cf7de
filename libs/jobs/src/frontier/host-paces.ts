import { adaptPace, requestedPauseMs, MAX_CRAWL_DELAY_MS } from '@app/crawl';
import { run, type Statement, type Transaction } from '@app/database';
import type { FinishBatch, MovedRow } from './page-outcome.js';

const LOCK_HOSTS: Statement = {
  name: 'finish_lock_hosts',
  text: `SELECT host, window_size AS "windowSize", typical_ms AS "typicalMs" FROM hosts
         WHERE host = ANY ($1::text[]) ORDER BY host FOR NO KEY UPDATE`,
};

/** Rounded towards a longer pause, and no older than any delay that is kept. */
function wholeMs(sentAgoMs: number | null): number | null {
  return sentAgoMs === null ? null : Math.floor(Math.min(MAX_CRAWL_DELAY_MS, sentAgoMs));
}

interface HostCount {
  readonly host: string;
  readonly finished: number;
  readonly windowSize: number;
  readonly typicalMs: number | null;
  readonly crawlDelayMs: number | null | undefined;
  readonly pauseMs: number;
  readonly sentAgoMs: number | null;
}

/** Hosts of the pages, and those that the pages were redirected to. */
export async function hostPaces(
  tx: Transaction,
  batch: FinishBatch,
  finished: readonly MovedRow[],
): Promise<HostCount[]> {
  const finishedOn = new Map<string, number>();
  for (const row of finished) finishedOn.set(row.host, (finishedOn.get(row.host) ?? 0) + 1);
  const contacted = batch.hosts
    .filter(({ sentAgoMs }) => sentAgoMs !== null)
    .map(({ host }) => host);
  const hosts = new Set([...finishedOn.keys(), ...contacted]);
  if (hosts.size === 0) return [];
  const rows = await run<{ host: string; windowSize: number; typicalMs: number | null }>(
    tx,
    LOCK_HOSTS,
    [[...hosts]],
  );
  return rows.map((row) => {
    const report = batch.hosts.find((h) => h.host === row.host);
    // A page that another worker finishes reports nothing about its host here.
    const signals = finishedOn.has(row.host) ? (report?.signals ?? []) : [];
    // A pseudo host reports nothing, and its window is its own.
    const pace = report ? adaptPace(row, signals, { maxWindow: batch.hostWindow.max }) : row;
    return {
      host: row.host,
      finished: finishedOn.get(row.host) ?? 0,
      ...pace,
      crawlDelayMs: report?.crawlDelayMs,
      pauseMs: requestedPauseMs(signals),
      sentAgoMs: wholeMs(report?.sentAgoMs ?? null),
    };
  });
}
