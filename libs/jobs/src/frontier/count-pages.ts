import { chargesSql } from '@app/accounts';
import { newId, type JobStatus, type JobType } from '@app/contracts';
import { namedStatement, run, type Transaction } from '@app/database';
import { recordedBytes, type Admitted, type AdmittedRow } from './admit-links.js';
import { closeJob } from './close-job.js';
import { isGone } from './gone-pages.js';
import { hostPaces } from './host-paces.js';
import type { WrittenTexts } from '../search-index/page-texts.js';
import type { FinishBatch, MovedRow, PageOutcome } from './page-outcome.js';

/** Of `hosts h` and the batch's report on it, `t`. 0: robots.txt was read and sets none. */
const DELAY_MS =
  'CASE WHEN t.delay_known THEN coalesce(t.crawl_delay_ms, 0) ELSE h.crawl_delay_ms END';

/**
 * Everything that counts, at once: credits, reasons, hosts and the job's counters. The job leaves
 * `running` here when nothing is in flight and nothing may follow; pages still pending then are
 * over the limit. Under a Crawl-delay the next page is due that long after the last request was
 * sent: `now()` is the start of this transaction and no earlier than the time the caller counted
 * back from, so the pause may be longer by that difference, never shorter.
 */
const COUNT = namedStatement<CountValues>(
  'finish_count',
  `
    WITH ledger AS (
      ${chargesSql(`SELECT $tenantId, $operation::text, $jobId, item, credits, cost, $isHeld::bool
      FROM unnest($items::uuid[], $credits::int[], $costMicroUsd::bigint[]) AS t (item, credits, cost)`)}
    ), host AS (
      UPDATE hosts h SET in_flight = h.in_flight - t.finished, window_size = t.window_size,
             typical_ms = t.typical_ms, updated_at = now(),
             crawl_delay_ms = ${DELAY_MS},
             next_at = greatest(h.next_at, now() + t.pause_ms * interval '1 millisecond',
               CASE WHEN ${DELAY_MS} > 0 THEN now() + (${DELAY_MS} - t.sent_ago_ms) * interval '1 millisecond' END)
      FROM unnest($hosts::text[], $finished::int[], $windowSizes::real[], $typicalMs::real[], $delayKnown::bool[], $crawlDelayMs::int[], $pauseMs::int[], $sentAgoMs::int[])
           AS t (host, finished, window_size, typical_ms, delay_known, crawl_delay_ms, pause_ms, sent_ago_ms)
      WHERE h.host = t.host
    ), job AS (
      UPDATE jobs SET discovered = discovered + $discovered, pending = pending + $pending, leased = leased - $leasedLess,
             scraped = scraped + $scraped, failed = failed + $failed, skipped = skipped + $skipped,
             discovery_capped = discovery_capped OR $capped,
             link_bytes = link_bytes + $linkBytes, result_bytes = result_bytes + $resultBytes,
             scope_url = coalesce($scopeUrl, scope_url), unchanged = unchanged + $unchanged
      WHERE id = $jobId
      RETURNING leased, pending, scraped, page_limit
    ), reason AS (
      INSERT INTO job_reasons AS r (job_id, state, reason, pages)
      SELECT $jobId, state, reason, pages FROM unnest($reasonStates::text[], $reasons::text[], $reasonPages::int[]) AS t (state, reason, pages)
      ON CONFLICT (job_id, state, reason) DO UPDATE SET pages = r.pages + excluded.pages
    )
    SELECT leased = 0 AND (pending = 0 OR scraped >= page_limit) AS done, pending,
           pg_notify('trawl_work', '') FROM job`,
);

/** The job of a batch, locked. */
export interface JobLock {
  readonly tenantId: string;
  readonly type: JobType;
  readonly status: JobStatus;
  readonly scraped: number;
  readonly discovered: number;
  readonly linkBytes: number;
  /** Pages of the job that were paid for as unchanged. */
  readonly unchanged: number;
  /** Its pages can be searched; null: they cannot. */
  readonly isIndexed: boolean | null;
  /** Credits were held for the job: its pages are spent out of them. */
  readonly isHeld: boolean;
}

export type FinishedRow = MovedRow & {
  readonly urlKey: string;
  /** The crawl before has a result of it, and this one none yet. */
  readonly isKnown: boolean;
};

/** Keys of results of the crawl before that are none of this one. */
export function goneKeys(finished: readonly FinishedRow[]): Set<string> {
  const gone = finished.filter((row) => row.isKnown && isGone(row));
  return new Set(gone.map(({ urlKey }) => urlKey));
}

interface Totals {
  readonly discovered: number;
  readonly pending: number;
  readonly leasedLess: number;
  readonly scraped: number;
  readonly failed: number;
  readonly skipped: number;
  readonly reasons: ReadonlyMap<string, number>;
}

export function tally(
  finished: readonly FinishedRow[],
  admitted: readonly AdmittedRow[],
  aliases: { readonly discovered: number; readonly fromPending: number },
): Totals {
  const of = (rows: readonly MovedRow[], state: MovedRow['state']) =>
    rows.filter((r) => r.state === state).length;
  const reasons = new Map<string, number>();
  const addReason = (key: string, pages: number) =>
    reasons.set(key, (reasons.get(key) ?? 0) + pages);
  for (const row of [...finished, ...admitted]) {
    // A scraped page has a reason in a recrawl: how it differs.
    if (row.state !== 'pending' && (row.state !== 'scraped' || row.reason !== null)) {
      addReason(`${row.state}\0${row.reason ?? 'unknown'}`, 1);
    }
  }
  const gone = goneKeys(finished);
  if (gone.size > 0) addReason('gone\0gone', gone.size);
  const aliased = aliases.discovered + aliases.fromPending;
  if (aliased > 0) addReason('skipped\0duplicate', aliased);
  const revived = admitted.filter((row) => !row.isNew).length;
  if (revived > 0) addReason('skipped\0nofollow', -revived);
  return {
    discovered: admitted.length - revived + aliases.discovered,
    pending: of(admitted, 'pending') + of(finished, 'pending') - aliases.fromPending,
    leasedLess: finished.length,
    scraped: of(finished, 'scraped'),
    failed: of(finished, 'failed'),
    skipped: of(finished, 'skipped') + of(admitted, 'skipped') + aliased - revived,
    reasons,
  };
}

interface CountInput {
  readonly batch: FinishBatch;
  readonly job: JobLock;
  readonly finished: readonly FinishedRow[];
  /** Those of them that count. */
  readonly scraped: ReadonlySet<string>;
  readonly totals: Totals;
  readonly found: Admitted;
  readonly textBytes: WrittenTexts['bytes'];
}

/** Pages that have not changed and had not to be rendered; parts count as a whole. */
export const UNCHANGED_PER_CREDIT = 10;

interface PageCharge {
  readonly item: string;
  readonly credits: number;
  readonly costMicroUsd: number;
}

/**
 * One row per scraped page, except for free pages of a re-extraction. Model cost without a result
 * is a separate item: each try has a cost, and none may block the charge.
 */
function chargesOf({ batch, job, finished }: CountInput): PageCharge[] {
  const outcomes = new Map(batch.outcomes.map((o) => [o.urlKey, o]));
  let { unchanged } = job;
  return finished.flatMap(({ urlKey, state }) => {
    const outcome = outcomes.get(urlKey);
    const { costMicroUsd = 0, isUnchanged = false } = outcome ?? {};
    // The first of each ten.
    const isTenth = isUnchanged && state === 'scraped' && unchanged++ % UNCHANGED_PER_CREDIT === 0;
    const credits = isTenth ? 1 : (outcome?.credits ?? 0);
    if (state !== 'scraped')
      return costMicroUsd > 0 ? [{ item: newId(), credits: 0, costMicroUsd }] : [];
    const isFree = job.type === 'extract' && credits === 0 && costMicroUsd === 0;
    return isFree ? [] : [{ item: urlKey, credits, costMicroUsd }];
  });
}

/** A document is in its segment and in the result file of the job, which is written when its pages have ended. */
const DOCUMENT_COPIES = 2;
/** That of the crawl before is in the result file. */
const INHERITED_COPIES = 1;

/** What the job keeps of these pages: their documents and texts. */
function keptBytes({ batch, scraped, textBytes }: CountInput): number {
  let bytes = 0;
  for (const { urlKey, segment } of batch.outcomes)
    if (scraped.has(urlKey)) {
      const isOwn = segment?.key.includes(batch.jobId);
      const copies = isOwn ? DOCUMENT_COPIES : INHERITED_COPIES;
      bytes += copies * (segment?.bytes ?? 0) + (textBytes.get(urlKey) ?? 0);
    }
  return bytes;
}

function unchangedOf({ batch, scraped }: CountInput): readonly PageOutcome[] {
  return batch.outcomes.filter(({ urlKey, isUnchanged }) => isUnchanged && scraped.has(urlKey));
}

function scopeUrlOf({ batch, finished }: CountInput): string | null {
  const ended = new Set(finished.map(({ urlKey }) => urlKey));
  return (
    batch.outcomes.find(({ urlKey, scopeUrl }) => scopeUrl && ended.has(urlKey))?.scopeUrl ?? null
  );
}

/** Counts a batch; the status of the job after it. */
export async function countPages(tx: Transaction, input: CountInput): Promise<JobStatus> {
  const { batch, finished } = input;
  const values = countValues(input, await hostPaces(tx, batch, finished));
  const [row] = await run<{ done: boolean }>(tx, COUNT, COUNT.inOrder(values));
  if (!row?.done) return 'running';
  await closeJob(tx, batch.jobId, 'limit');
  return 'processing';
}

type CountValues = ReturnType<typeof countValues>;

function countValues(input: CountInput, paces: Awaited<ReturnType<typeof hostPaces>>) {
  const { batch, job, totals, found } = input;
  const charges = chargesOf(input);
  const reasons = [...totals.reasons].map(([key, pages]) => [...key.split('\0'), pages] as const);
  return {
    jobId: batch.jobId,
    tenantId: job.tenantId,
    operation: job.type === 'extract' ? 'extract' : 'crawl',
    isHeld: job.isHeld,
    items: charges.map(({ item }) => item),
    credits: charges.map(({ credits }) => credits),
    costMicroUsd: charges.map(({ costMicroUsd }) => costMicroUsd),
    hosts: paces.map((pace) => pace.host),
    finished: paces.map((pace) => pace.finished),
    windowSizes: paces.map((pace) => pace.windowSize),
    typicalMs: paces.map((pace) => pace.typicalMs),
    delayKnown: paces.map((pace) => pace.crawlDelayMs !== undefined),
    crawlDelayMs: paces.map((pace) => pace.crawlDelayMs ?? null),
    pauseMs: paces.map((pace) => Math.round(pace.pauseMs)),
    sentAgoMs: paces.map((pace) => pace.sentAgoMs),
    discovered: totals.discovered,
    pending: totals.pending,
    leasedLess: totals.leasedLess,
    scraped: totals.scraped,
    failed: totals.failed,
    skipped: totals.skipped,
    capped: found.capped,
    reasonStates: reasons.map(([state]) => state),
    reasons: reasons.map(([, reason]) => reason),
    reasonPages: reasons.map(([, , pages]) => pages),
    linkBytes: recordedBytes(found.rows),
    resultBytes: keptBytes(input),
    scopeUrl: scopeUrlOf(input),
    unchanged: unchangedOf(input).length,
  };
}
