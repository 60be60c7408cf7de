import type { BrokerReport } from './broker-memory.js';
import type { BrokerSample } from './broker-watch.js';
import { BYTES_PER_MB, FLAT_MB, flatnessOf } from './flatness.js';

export interface WatchedCrawl {
  readonly samples: readonly BrokerSample[];
  readonly reports: readonly BrokerReport[];
  /** Why the broker was not asked itself; null when it was. */
  readonly problem: string | null;
  readonly seconds: number;
  readonly pages: number;
}

/** What was seen, a line each. */
export function brokerReport(crawl: WatchedCrawl): string {
  const { samples, pages, seconds } = crawl;
  const flat = flatnessOf(samples, pages);
  const waiting = Math.max(...samples.map((sample) => sample.waiting));
  return [
    `${pages} pages in ${seconds.toFixed(1)} s, ${samples.length} readings of the broker`,
    `resident memory at its start: ${megabytes(samples[0]?.residentBytes ?? 0)}`,
    `after its first tenth (${flat.samples} readings): median ${flat.medianMb.toFixed(1)} MB, ` +
      `lowest ${(flat.lowestMb - flat.medianMb).toFixed(1)}, highest +${(flat.highestMb - flat.medianMb).toFixed(1)}, ` +
      `first to last quarter ${signed(flat.driftMb)} MB`,
    ...ownFigures(crawl),
    `messages waiting for a fetcher at a time: at most ${waiting}`,
    `flat within ±${FLAT_MB} MB: ${flat.isFlat ? 'yes' : 'NO'}`,
  ].join('\n');
}

function ownFigures({ reports, problem }: WatchedCrawl): readonly string[] {
  if (problem !== null) return [`the broker's own figures are missing: ${problem}`];
  const range = (pick: (report: BrokerReport) => number): string => {
    const each = reports.map(pick);
    return `${megabytes(Math.min(...each))} to ${megabytes(Math.max(...each))}`;
  };
  return [
    `by its own count (${reports.length} reports): in use ${range(({ usedBytes }) => usedBytes)}, ` +
      `quorum queues ${range(({ quorumQueueBytes }) => quorumQueueBytes)}, ` +
      `their tables ${range(({ quorumTableBytes }) => quorumTableBytes)}`,
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}
