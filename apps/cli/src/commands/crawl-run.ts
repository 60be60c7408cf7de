import type { CrawledPage, JobSnapshot, TrawlJob } from '@app/client';
import { Interrupted, type Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { PageFolder } from '../output/page-folder.js';
import { markdownFile } from '../output/page-text.js';
import { OutputClosed, paint, type TextPart } from '../output/terminal.js';
import { duration, type CrawlProgress } from '../progress/crawl-progress.js';
import { showProgress } from '../progress/progress-views.js';
import { crawlFields, type CrawlFlags } from './crawl-flags.js';

/** Starts or resumes a crawl, and writes its pages as they come. */
export class CrawlRun {
  private readonly startedAt = performance.now();
  private folder: PageFolder | undefined;
  /** Page results that are written: where a resumed crawl continues. */
  private position = 0;
  private last: JobSnapshot | undefined;
  /** Page limit of the service: that of the user, or fewer. */
  private granted: number | undefined;

  constructor(
    private readonly cli: Cli,
    private readonly flags: CrawlFlags,
  ) {}

  async run(url: string | undefined): Promise<ExitCode> {
    const job = await this.openJob(url);
    if (this.granted !== undefined && this.granted < (this.flags.limit ?? DEFAULT_LIMIT))
      this.say(job.message?.split('. ', 1)[0] ?? '');
    if (this.flags.detach) {
      await this.cli.terminal.write(`${job.id}\n`);
      return EXIT.ok;
    }
    const progress = this.showProgress();
    if (url !== undefined) this.note(`Crawl ${job.id} has started`, progress);
    try {
      await this.follow(job, progress);
    } catch (error) {
      progress.stop();
      // If the list cannot be written either, the first error is the one to show.
      await this.folder?.finish().catch(() => undefined);
      return await this.leave(job, error);
    }
    progress.stop();
    await this.folder?.finish();
    return this.conclude(job, this.last ?? (await job.status()));
  }

  /** Unknown for a job that was started elsewhere. */
  private get limit(): number | undefined {
    const asked = this.flags.limit ?? DEFAULT_LIMIT;
    return this.flags.resume === undefined ? (this.granted ?? asked) : undefined;
  }

  /** A folder that cannot be used is found before the crawl starts. */
  private async openJob(url: string | undefined): Promise<TrawlJob> {
    const { out, resume, after = 0 } = this.flags;
    const trawl = this.cli.client(this.flags);
    const call = { signal: this.cli.signal };
    if (url !== undefined && out !== undefined) await PageFolder.requireEmpty(out);
    const job =
      url === undefined
        ? trawl.job(resume ?? '')
        : await trawl.crawl(url, crawlFields(this.flags), call);
    if (url === undefined) this.last = await job.status(call);
    this.granted = grantedBy(job);
    this.position = after;
    if (out === undefined) return job;
    const asJson = this.flags.json === true;
    this.folder = await PageFolder.open(out, {
      ...{ jobId: job.id, resume: url === undefined, asJson },
      limit: this.limit,
    });
    this.position = this.folder.position;
    if (this.position > 0) this.note(`${out} already has ${this.folder.size} pages of this crawl`);
    return job;
  }

  private showProgress(): CrawlProgress {
    const { flags, cli } = this;
    const isCrowded = this.folder === undefined && cli.terminal.isOutputShown;
    return showProgress({
      ...{ terminal: cli.terminal, quiet: flags.quiet === true, isCrowded },
      limit: this.folder ? this.folder.limit : this.limit,
      received: this.position,
    });
  }

  private async follow(job: TrawlJob, progress: CrawlProgress): Promise<void> {
    if (this.last) progress.onStatus(this.last);
    const updates = job.updates({
      after: this.position,
      signal: this.cli.signal,
      onInterruption: ({ message }) => progress.note(`${message}; reconnecting`),
    });
    for await (const update of updates) {
      if (update.type === 'status') {
        this.last = update.job;
        progress.onStatus(update.job);
        continue;
      }
      await this.keep(update.page, update.position);
      this.position = update.position;
      progress.onPage(update.position);
    }
  }

  private async keep(page: CrawledPage, position: number): Promise<void> {
    if (this.folder) return void (await this.folder.write(page, position));
    const text = this.flags.json ? `${JSON.stringify(page)}\n` : `${markdownFile(page)}\n`;
    await this.cli.terminal.write(text);
  }

  /** Ctrl-C, a closed output, or a service that is gone: the crawl itself goes on, unless it shall not. */
  private async leave(job: TrawlJob, error: unknown): Promise<ExitCode> {
    const isWanted = error instanceof Interrupted || error instanceof OutputClosed;
    if (isWanted && this.flags.cancelOnExit) {
      const { status } = await job.cancel();
      this.say(`Crawl ${job.id} is ${status}; ${this.position} pages were written`);
    } else {
      const isOver = this.last !== undefined && this.last.completed_at !== null;
      this.say(`The crawl ${isOver ? 'is over' : 'goes on'}. Continue: ${this.resumeCommand(job)}`);
      if (!isOver) this.say(`Cancel it: trawl jobs cancel ${job.id}`);
    }
    if (!isWanted) throw error;
    return error instanceof Interrupted ? EXIT.interrupted : EXIT.ok;
  }

  private resumeCommand({ id }: TrawlJob): string {
    const { out, json } = this.flags;
    const rest = out === undefined ? `--after ${this.position}` : `--out ${quoted(out)}`;
    return `trawl crawl --resume ${id} ${rest}${json ? ' --json' : ''}`;
  }

  private conclude({ id }: TrawlJob, job: JobSnapshot): ExitCode {
    const { pages, skipped, failed, status, error } = job;
    // With --since a page that is gone is no failure; those that have moved are among the skipped ones.
    const { gone = 0, ...kept } = job.changes ?? {};
    const isPartial = pages.failed > (failed['gone'] ?? 0) || status === 'cancelled';
    if (status === 'failed')
      throw new CliError(
        `crawl ${id} failed: ${error ?? 'the service gives no reason'}`,
        `trawl jobs ${id} shows its counts.`,
        EXIT.failed,
      );
    const seconds = duration((performance.now() - this.startedAt) / 1_000);
    const parts = [
      job.changes ? reasons('pages', kept) : `${pages.scraped} pages`,
      gone === 0 ? '' : `${gone} gone`,
      reasons('failed', { ...failed, gone: 0 }),
      reasons('skipped', skipped),
    ];
    const where = this.flags.out === undefined ? '' : ` → ${this.flags.out}`;
    const colour = isPartial ? 'yellow' : 'green';
    this.say(
      paint(colour, `${status}:`),
      ` ${parts.filter((part) => part !== '').join(', ')} in ${seconds}${where}`,
    );
    return isPartial ? EXIT.partial : EXIT.ok;
  }

  private note(line: string, progress?: CrawlProgress): void {
    if (progress) progress.note(line);
    else this.say(line);
  }

  private say(...line: readonly TextPart[]): void {
    if (!this.flags.quiet) this.cli.terminal.say(...line);
  }
}

/** That of the API. */
const DEFAULT_LIMIT = 10;

/** The page limit that the service names when it starts a crawl. */
function grantedBy({ message = '' }: TrawlJob): number | undefined {
  const [, pages] = /\bup to (\d+) pages\b/.exec(message) ?? [];
  return pages === undefined ? undefined : Number(pages);
}

/** e.g. `3 skipped (2 external, 1 depth)` */
function reasons(word: string, counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const list = entries.map(([reason, count]) => `${count} ${reason}`).join(', ');
  return total === 0 ? '' : `${total} ${word} (${list})`;
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
