import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  urlReportSlice,
  type UrlReportCounts,
  type UrlReportEntry,
  type UrlReportSlice,
} from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { UrlReportEntryView, UrlReportPage } from './url-report.dto.js';
import { MAX_REPORTED_URLS, type ParsedUrlQuery } from './parse-url-query.js';

/** URLs that one statement scans for matches of a filter. */
const WINDOW = 20_000;
/** Statements per page: bounds the cost of a filter without matches, however large the job. */
const MAX_LOOKS = 10;

interface EntryQuery extends ParsedUrlQuery {
  /** Text that URLs contain, ignoring case. @default null: all */
  readonly search?: string | null;
}

/** A part of a job's URLs, with the counts of all. */
export interface UrlReportEntries {
  readonly jobId: string;
  readonly entries: readonly UrlReportEntry[];
  readonly counts: UrlReportCounts;
  /** Cursor of the next part; null if there are no more for now. */
  readonly next: string | null;
}

/** A job, and its caller. */
interface OwnJob {
  readonly tenant: Tenant;
  readonly id: string;
}

/** Reads the URL report: the outcome of every URL of a job. */
@Injectable()
export class UrlReportService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>,
    private readonly jobs: JobsService,
  ) {}

  async page(tenant: Tenant, id: string, query: ParsedUrlQuery): Promise<UrlReportPage> {
    const { jobId, entries, counts, next } = await this.entries(tenant, id, query);
    const { status, discovered, ...byState } = counts;
    const urls = entries.map(presentEntry);
    return { id: jobId, status, discovered, counts: byState, urls, next };
  }

  /** A page of matching URLs; it may contain fewer than `limit` and still have a `next` if few URLs match. */
  async entries(tenant: Tenant, id: string, query: EntryQuery): Promise<UrlReportEntries> {
    const job = await this.jobs.findKept(tenant, id);
    const own = { tenant, id: job.id };
    let slice = await this.slice(own, query);
    const entries = [...slice.entries];
    for (let looks = 1; looks < MAX_LOOKS; looks++) {
      const left = query.most - entries.length;
      if (slice.next === null || left === 0) break;
      slice = await this.slice(own, { ...query, after: slice.next, most: left });
      entries.push(...slice.entries);
    }
    const next = slice.next === null ? null : String(slice.next);
    return { jobId: job.id, entries, counts: slice.counts, next };
  }

  /** One JSON line per URL, up to the current end; none after `signal` aborts. */
  async lines(
    tenant: Tenant,
    id: string,
    query: ParsedUrlQuery,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    return this.allLines({ tenant, id: job.id }, query, signal);
  }

  /** If few URLs match, it may scan for long without writing a line, so a write would not reveal a disconnect. */
  private async *allLines(
    own: OwnJob,
    query: ParsedUrlQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    let left = query.most;
    for (let after: bigint | null = query.after; after !== null && left > 0;) {
      if (signal.aborted) return;
      const most = Math.min(left, MAX_REPORTED_URLS);
      const slice: UrlReportSlice = await this.slice(own, { ...query, after, most });
      const lines = slice.entries.map((entry) => `${JSON.stringify(presentEntry(entry))}\n`);
      if (lines.length > 0) yield Buffer.from(lines.join(''));
      left -= lines.length;
      after = slice.next;
    }
  }

  private async slice({ tenant, id }: OwnJob, query: EntryQuery): Promise<UrlReportSlice> {
    const reader = this.runtime.database.asReader(tenant.id);
    const slice = await urlReportSlice(reader, id, { ...query, window: WINDOW });
    if (!slice) throw new ApiError('job_not_found');
    return slice;
  }
}

function presentEntry(entry: UrlReportEntry): UrlReportEntryView {
  return {
    url: entry.url,
    state: entry.state,
    reason: entry.reason,
    kind: entry.kind,
    rung: entry.rung,
    status_code: entry.statusCode,
    attempts: entry.attempts,
    depth: entry.depth,
    parent: entry.parent,
    ms: entry.latencyMs,
    finished_at: entry.finishedAt?.toISOString() ?? null,
  };
}
