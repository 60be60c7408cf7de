import type { JobSnapshot } from '@app/client';
import type { Terminal } from '../output/terminal.js';
import { CrawlCounts, type CrawlProgress, type ProgressOptions } from './crawl-progress.js';

export const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_CHARS = 24;
export const CLEAR_LINE = '\r\u001b[2K';

/** A bar on a terminal, a line now and then elsewhere, nothing with --quiet. */
export function showProgress(options: ProgressOptions): CrawlProgress {
  const { terminal, limit, received, quiet, isCrowded } = options;
  if (quiet) return SILENT;
  const counts = new CrawlCounts(limit, received);
  return terminal.areErrorsShown && !isCrowded
    ? new ProgressBar(terminal, counts)
    : new ProgressLines(terminal, counts);
}

const SILENT: CrawlProgress = {
  onPage: () => undefined,
  onStatus: () => undefined,
  note: () => undefined,
  stop: () => undefined,
};

/** Redraws one line, at most ten times a second. */
export class ProgressBar implements CrawlProgress {
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly terminal: Terminal,
    private readonly counts: CrawlCounts,
  ) {
    this.timer = setInterval(() => this.draw(), REDRAW_MS);
    this.draw();
  }

  onPage(received: number): void {
    this.counts.page(received);
  }

  onStatus(job: JobSnapshot): void {
    this.counts.status(job);
  }

  note(line: string): void {
    this.terminal.draw(CLEAR_LINE);
    this.terminal.say(line);
    this.draw();
  }

  stop(): void {
    clearInterval(this.timer);
    this.terminal.draw(CLEAR_LINE);
  }

  private draw(): void {
    const { received, expected } = this.counts;
    const share = expected === undefined || expected === 0 ? 0 : Math.min(1, received / expected);
    const filled = Math.round(share * BAR_CHARS);
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}]`;
    // A line that wraps could not be cleared.
    const line = `${bar} ${this.counts.describe()}`.slice(0, this.terminal.columns - 1);
    this.terminal.draw(`${CLEAR_LINE}${line}`);
  }
}

/** A line when the state changes, and every five seconds while pages arrive. */
export class ProgressLines implements CrawlProgress {
  private saidAt = performance.now();
  private saidState = '';

  constructor(
    private readonly terminal: Terminal,
    private readonly counts: CrawlCounts,
  ) {}

  onPage(received: number): void {
    this.counts.page(received);
    if (performance.now() - this.saidAt >= LINE_MS) this.say();
  }

  onStatus(job: JobSnapshot): void {
    this.counts.status(job);
    if (this.counts.state !== this.saidState) this.say();
  }

  note(line: string): void {
    this.terminal.say(line);
  }

  stop(): void {}

  private say(): void {
    this.saidAt = performance.now();
    this.saidState = this.counts.state;
    this.terminal.say(this.counts.describe());
  }
}
