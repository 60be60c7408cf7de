import { chargesSql } from '@app/accounts';
import { newId, type JobStatus, type JobType } from '@app/contracts';
import {
  namedStatement,
  run,
  type Statement,
  type Database,
  type Transaction,
  type Row,
} from '@app/database';
import {
  admitLinks,
  linkRoom,
  NOTHING_ADMITTED,
  recordedBytes,
  type Admitted,
  type AdmittedRow,
} from './admit-links.js';
import { closeJob } from './close-job.js';
import { hostPaces } from './host-paces.js';
import type { FinishBatch, FinishResult, MovedRow, PageOutcome } from './page-outcome.js';
import { writePageTexts } from '../search-index/page-texts.js';
import { settleAliases } from './settle-aliases.js';

const LOCK_JOB: Statement = {
  name: 'finish_lock_job',
  text: `SELECT tenant_id AS "tenantId", type, status, scraped, discovered, link_bytes::float8 AS "linkBytes",
                credits_held IS NOT NULL AS "isHeld"
         FROM jobs WHERE id = $1 FOR NO KEY UPDATE`,
};

/**
 * A page with the content of another page of the job is a copy, whichever ended first: it is
 * skipped, and its place under the limit is free again with its lease. A retried page keeps its
 * segment: the source of a re-extraction.
 */
const FINISH = namedStatement<FinishValues>(
  'finish_pages',
  `
    WITH outcome AS (
      SELECT * FROM unnest($urlKeys::uuid[], $fences::int[], $states::text[], $reasons::text[], $retryInMs::int[], $statusCodes::smallint[], $rungs::text[],
                           $segmentKeys::text[], $segmentOffsets::int[], $segmentBytes::int[], $latencyMs::int[], $contentHashes::uuid[])
      WITH ORDINALITY AS t (url_key, fence, state, reason, retry_in_ms, status_code, rung,
                            segment_key, segment_offset, segment_bytes, latency_ms, content_hash, ord)
    ), held AS (
      SELECT o.*, o.content_hash IS NOT NULL AND (
               row_number() OVER (PARTITION BY o.content_hash ORDER BY o.ord) > 1
               OR EXISTS (SELECT FROM pages same WHERE same.job_id = $jobId AND same.content_hash = o.content_hash)
             ) AS is_copy
      FROM outcome o JOIN pages p
        ON p.job_id = $jobId AND p.url_key = o.url_key AND p.fence = o.fence AND p.state = 'leased'
    ), judged AS (
      SELECT *, CASE WHEN is_copy THEN 'skipped' ELSE state END AS ends,
             CASE WHEN is_copy THEN 'duplicate_content' ELSE reason END AS because FROM held
    ), kept AS (
      SELECT *, ends = 'scraped' AS is_kept,
             CASE WHEN ends = 'scraped'
                  THEN $scrapedBefore::int + row_number() OVER (PARTITION BY ends ORDER BY ord) END AS result_no
      FROM judged
    )
    UPDATE pages p SET state = h.ends, reason = h.because, lease_until = NULL,
           not_before = now() + h.retry_in_ms * interval '1 millisecond',
           status_code = h.status_code, rung = h.rung, latency_ms = coalesce(h.latency_ms, p.latency_ms),
           result_no = h.result_no,
           segment_key = CASE WHEN is_kept THEN h.segment_key WHEN h.ends = 'pending' THEN p.segment_key END,
           segment_offset = CASE WHEN is_kept THEN h.segment_offset WHEN h.ends = 'pending' THEN p.segment_offset END,
           segment_bytes = CASE WHEN is_kept THEN h.segment_bytes WHEN h.ends = 'pending' THEN p.segment_bytes END,
           content_hash = CASE WHEN is_kept OR is_copy THEN h.content_hash END,
           finished_at = CASE WHEN h.state = 'pending' THEN NULL ELSE now() END
    FROM kept h WHERE p.job_id = $jobId AND p.url_key = h.url_key
    RETURNING replace(p.url_key::text, '-', '') AS "urlKey", p.state, p.reason, p.host`,
);

const WAKE_HOSTS: Statement = {
  name: 'wake_job_hosts',
  text: `
    WITH host AS (SELECT * FROM unnest($2::text[]) AS t (host)), known AS (
      INSERT INTO hosts (host, window_size) SELECT host, $3 FROM host ORDER BY host ON CONFLICT (host) DO NOTHING
    )
    INSERT INTO job_hosts (job_id, host) SELECT $1, host FROM host ORDER BY host
    ON CONFLICT (job_id, host) DO UPDATE SET next_at = now() WHERE job_hosts.next_at > now()`,
};

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
             link_bytes = link_bytes + $linkBytes, result_bytes = result_bytes + $resultBytes
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

/**
 * Finishes pages of one job in one transaction guarded by their fences (design invariant 3): result
 * references, admitted links, credits, counters and the search index together, or nothing.
 */
export async function finishPages(database: Database, batch: FinishBatch): Promise<FinishResult> {
  return database.transaction(async (tx) => {
    const texts = await writePageTexts(tx, batch.jobId, batch.texts ?? []);
    const result = await finishIn(tx, batch);
    await texts.keepOnly(result.scraped);
    return {
      ...result,
      unindexed: texts.unindexed.filter((key) => result.scraped.has(key)).length,
    };
  });
}

type Finished = Omit<FinishResult, 'unindexed'>;

async function finishIn(tx: Transaction, batch: FinishBatch): Promise<Finished> {
  const [job] = await run<JobLock>(tx, LOCK_JOB, [batch.jobId]);
  if (!job || job.status !== 'running') return refusedBatch(job?.status ?? 'cancelled');
  const settled = await settleAliases(tx, batch.jobId, batch.outcomes);
  const finished = await finishRows(tx, batch.jobId, settled.outcomes, job.scraped);
  // A batch of which every page was taken over admits nothing: its links come with the other worker's.
  const discovered = job.discovered + settled.discovered;
  const room = linkRoom(batch.maxDiscovered, { ...job, discovered });
  const found =
    finished.length > 0 ? await admitLinks(tx, batch.jobId, batch.links, room) : NOTHING_ADMITTED;
  const totals = tally(finished, found.rows, settled);
  await wakeHosts(tx, batch, [...finished, ...found.rows]);
  const scraped = new Set(
    finished.filter((row) => row.state === 'scraped').map((row) => row.urlKey),
  );
  const status = await count(tx, { batch, job, finished, scraped, totals, found });
  return {
    accepted: new Set(finished.map((row) => row.urlKey)),
    scraped,
    admitted: found.rows.length,
    status,
  };
}

interface JobLock {
  readonly tenantId: string;
  readonly type: JobType;
  readonly status: JobStatus;
  readonly scraped: number;
  readonly discovered: number;
  readonly linkBytes: number;
  /** Credits were held for the job: its pages are spent out of them. */
  readonly isHeld: boolean;
}

type FinishedRow = MovedRow & { readonly urlKey: string };

function refusedBatch(status: JobStatus): Finished {
  return { accepted: new Set(), scraped: new Set(), admitted: 0, status };
}

async function finishRows(
  tx: Transaction,
  jobId: string,
  outcomes: readonly PageOutcome[],
  scrapedBefore: number,
): Promise<FinishedRow[]> {
  const values = finishValues(jobId, outcomes, scrapedBefore);
  return run<FinishedRow & Row>(tx, FINISH, FINISH.inOrder(values));
}

type FinishValues = ReturnType<typeof finishValues>;

function finishValues(jobId: string, outcomes: readonly PageOutcome[], scrapedBefore: number) {
  return {
    jobId,
    scrapedBefore,
    urlKeys: outcomes.map((o) => o.urlKey),
    fences: outcomes.map((o) => o.fence),
    states: outcomes.map((o) => o.state),
    reasons: outcomes.map((o) => o.reason),
    retryInMs: outcomes.map((o) => Math.round(o.retryInMs)),
    statusCodes: outcomes.map((o) => o.statusCode),
    rungs: outcomes.map((o) => o.rung),
    segmentKeys: outcomes.map((o) => o.segment?.key ?? null),
    segmentOffsets: outcomes.map((o) => o.segment?.offset ?? null),
    segmentBytes: outcomes.map((o) => o.segment?.bytes ?? null),
    latencyMs: outcomes.map((o) => o.latencyMs ?? null),
    // A page that is not kept is no original for others to be copies of.
    contentHashes: outcomes.map((o) => (o.state === 'scraped' ? (o.contentHash ?? null) : null)),
  };
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

function tally(
  finished: readonly MovedRow[],
  admitted: readonly AdmittedRow[],
  aliases: { readonly discovered: number; readonly fromPending: number },
): Totals {
  const of = (rows: readonly MovedRow[], state: MovedRow['state']) =>
    rows.filter((r) => r.state === state).length;
  const reasons = new Map<string, number>();
  const addReason = (key: string, pages: number) =>
    reasons.set(key, (reasons.get(key) ?? 0) + pages);
  for (const row of [...finished, ...admitted]) {
    if (row.state === 'failed' || row.state === 'skipped') {
      addReason(`${row.state}\0${row.reason ?? 'unknown'}`, 1);
    }
  }
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

async function wakeHosts(
  tx: Transaction,
  batch: FinishBatch,
  rows: readonly MovedRow[],
): Promise<void> {
  const hosts = new Set(rows.filter((row) => row.state === 'pending').map((row) => row.host));
  if (hosts.size > 0) await run(tx, WAKE_HOSTS, [batch.jobId, [...hosts], batch.hostWindow.start]);
}

interface CountInput {
  readonly batch: FinishBatch;
  readonly job: JobLock;
  readonly finished: readonly FinishedRow[];
  /** Those of them that count. */
  readonly scraped: ReadonlySet<string>;
  readonly totals: Totals;
  readonly found: Admitted;
}

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
  return finished.flatMap(({ urlKey, state }) => {
    const { credits = 0, costMicroUsd = 0 } = outcomes.get(urlKey) ?? {};
    if (state !== 'scraped')
      return costMicroUsd > 0 ? [{ item: newId(), credits: 0, costMicroUsd }] : [];
    const isFree = job.type === 'extract' && credits === 0 && costMicroUsd === 0;
    return isFree ? [] : [{ item: urlKey, credits, costMicroUsd }];
  });
}

/** What the job keeps of these pages: their documents and texts. */
function keptBytes({ batch, scraped }: CountInput): number {
  let bytes = 0;
  for (const { urlKey, segment } of batch.outcomes)
    if (scraped.has(urlKey)) bytes += segment?.bytes ?? 0;
  for (const { urlKey, text } of batch.texts ?? []) if (scraped.has(urlKey)) bytes += text.length;
  return bytes;
}

async function count(tx: Transaction, input: CountInput): Promise<JobStatus> {
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
  };
}
