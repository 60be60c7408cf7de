import type { JobSnapshot } from '@app/client';
import type { Terminal } from '../output/terminal.js';

/** Shows how far a crawl has come. */
export interface CrawlProgress {
  /** Page results that were received so far. */
  onPage(received: number): void;
  onStatus(job: JobSnapshot): void;
  /** A line that must not be mixed with the progress. */
  note(line: string): void;
  /** Removes what may be drawn over. */
  stop(): void;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  /** Page limit of the crawl, if it is known. */
  readonly limit: number | undefined;
  /** Page results of an earlier run. */
  readonly received: number;
  readonly quiet: boolean;
  /** Pages are written to the terminal itself, where a bar would be in their way. */
  readonly isCrowded: boolean;
}

const RATE_PAGES = 50;
/** States that need an explanation. */
const STATES: Readonly<Record<string, string>> = { processing: 'writing the result file' };

/** Counts of a crawl for people. */
export class CrawlCounts {
  state = 'queued';
  failed = 0;
  private open: number | undefined;
  /** Times of the newest pages. */
  private readonly times: number[] = [];

  constructor(
    private readonly limit: number | undefined,
    /** Page results that were received so far. */
    public received = 0,
    private readonly now: () => number = () => performance.now(),
  ) {}

  page(received: number): void {
    this.received = received;
    this.times.push(this.now());
    if (this.times.length > RATE_PAGES) this.times.shift();
  }

  status({ status, pages }: JobSnapshot): void {
    this.state = status;
    this.failed = pages.failed;
    this.open = pages.scraped + pages.pending + pages.leased;
  }

  /** Pages that the crawl will have as far as is known: those found, at most the limit. */
  get expected(): number | undefined {
    const known = this.open === undefined ? undefined : Math.max(this.open, this.received);
    if (this.limit === undefined || known === undefined) return known ?? this.limit;
    return Math.min(known, this.limit);
  }

  /** Pages per second over the newest pages. */
  get rate(): number {
    const [oldest] = this.times;
    if (oldest === undefined || this.times.length < 2) return 0;
    const seconds = (this.now() - oldest) / 1_000;
    return seconds > 0 ? (this.times.length - 1) / seconds : 0;
  }

  /** Seconds until the expected pages are there; undefined while nothing can be said. */
  get secondsLeft(): number | undefined {
    const { expected, rate } = this;
    if (expected === undefined || rate === 0) return undefined;
    return Math.max(0, expected - this.received) / rate;
  }

  /** e.g. `12/50 pages, 3.1/s, 12 s left, running` */
  describe(): string {
    const parts = [`${this.received}/${this.expected ?? '?'} pages`];
    const isRunning = this.state === 'running';
    if (isRunning && this.rate > 0) parts.push(`${this.rate.toFixed(1)}/s`);
    const { secondsLeft } = this;
    if (isRunning && secondsLeft !== undefined) parts.push(`${duration(secondsLeft)} left`); // prettier-ignore
    if (this.failed > 0) parts.push(`${this.failed} failed`);
    return [...parts, STATES[this.state] ?? this.state].join(', ');
  }
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
