import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { ledgerSlice, type LedgerCounts, type LedgerEntry, type LedgerSlice } from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { LedgerEntryView, LedgerPage } from './ledger.dto.js';
import { MAX_URLS, type ParsedLedgerQuery } from './parse-ledger-query.js';

/** Addresses one statement looks at for those that fit a filter. */
const WINDOW = 20_000;
/** Statements for one page: a filter that nothing fits costs no more, however large the job. */
const MAX_LOOKS = 10;

interface EntryQuery extends ParsedLedgerQuery {
  /** Text that addresses contain, in any case. @default null: all */
  readonly search?: string | null;
}

/** A part of a job's addresses, with what the job knows of all. */
export interface LedgerEntries {
  readonly jobId: string;
  readonly entries: readonly LedgerEntry[];
  readonly counts: LedgerCounts;
  /** Cursor of the next part; null when these are the last for now. */
  readonly next: string | null;
}

/** A job, and who asks for it. */
interface OwnJob {
  readonly tenant: Tenant;
  readonly id: string;
}

/** Tells what a job did with every address it met. */
@Injectable()
export class LedgerService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'store'>,
    private readonly jobs: JobsService,
  ) {}

  async page(tenant: Tenant, id: string, query: ParsedLedgerQuery): Promise<LedgerPage> {
    const { jobId, entries, counts, next } = await this.entries(tenant, id, query);
    const { status, discovered, ...byState } = counts;
    const urls = entries.map(presentEntry);
    return { id: jobId, status, discovered, counts: byState, urls, next };
  }

  /** A page of addresses that fit; fewer than wanted, with a `next`, where few of those read do. */
  async entries(tenant: Tenant, id: string, query: EntryQuery): Promise<LedgerEntries> {
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

  /** One JSON line each, up to what is there now; none after `signal` aborts. */
  async lines(
    tenant: Tenant,
    id: string,
    query: ParsedLedgerQuery,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    return this.allLines({ tenant, id: job.id }, query, signal);
  }

  /** Where few addresses fit it may look long without a line, and so without hearing that nobody reads. */
  private async *allLines(
    own: OwnJob,
    query: ParsedLedgerQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    let left = query.most;
    for (let after: bigint | null = query.after; after !== null && left > 0;) {
      if (signal.aborted) return;
      const most = Math.min(left, MAX_URLS);
      const slice: LedgerSlice = await this.slice(own, { ...query, after, most });
      const lines = slice.entries.map((entry) => `${JSON.stringify(presentEntry(entry))}\n`);
      if (lines.length > 0) yield Buffer.from(lines.join(''));
      left -= lines.length;
      after = slice.next;
    }
  }

  private async slice({ tenant, id }: OwnJob, query: EntryQuery): Promise<LedgerSlice> {
    const reader = this.runtime.store.asReader(tenant.id);
    const slice = await ledgerSlice(reader, id, { ...query, window: WINDOW });
    if (!slice) throw new ApiError('job_not_found');
    return slice;
  }
}

function presentEntry(entry: LedgerEntry): LedgerEntryView {
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
