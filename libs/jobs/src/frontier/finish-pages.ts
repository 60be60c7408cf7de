import { newId, type JobStatus, type JobType } from '@app/contracts';
import { run, type Statement, type Database, type Transaction, type Row } from '@app/database';
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
import { writePageTexts, type WrittenTexts } from '../search-index/page-texts.js';
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
const FINISH: Statement = {
  name: 'finish_pages',
  text: `
    WITH outcome AS (
      SELECT * FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::text[],
                           $9::text[], $10::int[], $11::int[], $13::int[], $14::uuid[])
      WITH ORDINALITY AS t (url_key, fence, state, reason, retry_in_ms, status_code, rung,
                            segment_key, segment_offset, segment_bytes, latency_ms, content_hash, ord)
    ), held AS (
      SELECT o.*, o.content_hash IS NOT NULL AND (
               row_number() OVER (PARTITION BY o.content_hash ORDER BY o.ord) > 1
               OR EXISTS (SELECT FROM pages same WHERE same.job_id = $1 AND same.content_hash = o.content_hash)
             ) AS is_copy
      FROM outcome o JOIN pages p
        ON p.job_id = $1 AND p.url_key = o.url_key AND p.fence = o.fence AND p.state = 'leased'
    ), judged AS (
      SELECT *, CASE WHEN is_copy THEN 'skipped' ELSE state END AS ends,
             CASE WHEN is_copy THEN 'duplicate_content' ELSE reason END AS because FROM held
    ), kept AS (
      SELECT *, ends = 'scraped' AS is_kept,
             CASE WHEN ends = 'scraped'
                  THEN $12::int + row_number() OVER (PARTITION BY ends ORDER BY ord) END AS result_no
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
    FROM kept h WHERE p.job_id = $1 AND p.url_key = h.url_key
    RETURNING replace(p.url_key::text, '-', '') AS "urlKey", p.state, p.reason, p.host`,
};

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
const COUNT: Statement = {
  name: 'finish_count',
  text: `
    WITH ledger AS (
      INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd, from_hold)
      SELECT $2, $24::text, $1, item, credits, cost, $25::bool
      FROM unnest($3::uuid[], $4::int[], $23::bigint[]) AS t (item, credits, cost)
    ), host AS (
      UPDATE hosts h SET in_flight = h.in_flight - t.finished, window_size = t.window_size,
             typical_ms = t.typical_ms, updated_at = now(),
             crawl_delay_ms = ${DELAY_MS},
             next_at = greatest(h.next_at, now() + t.pause_ms * interval '1 millisecond',
               CASE WHEN ${DELAY_MS} > 0 THEN now() + (${DELAY_MS} - t.sent_ago_ms) * interval '1 millisecond' END)
      FROM unnest($5::text[], $6::int[], $7::real[], $8::real[], $9::bool[], $10::int[], $11::int[], $22::int[])
           AS t (host, finished, window_size, typical_ms, delay_known, crawl_delay_ms, pause_ms, sent_ago_ms)
      WHERE h.host = t.host
    ), job AS (
      UPDATE jobs SET discovered = discovered + $12, pending = pending + $13, leased = leased - $14,
             scraped = scraped + $15, failed = failed + $16, skipped = skipped + $17,
             discovery_capped = discovery_capped OR $18,
             link_bytes = link_bytes + $26, result_bytes = result_bytes + $27
      WHERE id = $1
      RETURNING leased, pending, scraped, page_limit
    ), reason AS (
      INSERT INTO job_reasons AS r (job_id, state, reason, pages)
      SELECT $1, state, reason, pages FROM unnest($19::text[], $20::text[], $21::int[]) AS t (state, reason, pages)
      ON CONFLICT (job_id, state, reason) DO UPDATE SET pages = r.pages + excluded.pages
    )
    SELECT leased = 0 AND (pending = 0 OR scraped >= page_limit) AS done, pending,
           pg_notify('trawl_work', '') FROM job`,
};

/**
 * Finishes pages of one job in one transaction guarded by their fences (design invariant 3): result
 * references, admitted links, credits, counters and the search index together, or nothing.
 */
export async function finishPages(database: Database, batch: FinishBatch): Promise<FinishResult> {
  return database.transaction(async (tx) => {
    const texts = await writePageTexts(tx, batch.jobId, batch.texts ?? []);
    const result = await finishIn(tx, batch, texts.bytes);
    await texts.keepOnly(result.scraped);
    return {
      ...result,
      unindexed: texts.unindexed.filter((key) => result.scraped.has(key)).length,
    };
  });
}

type Finished = Omit<FinishResult, 'unindexed'>;

async function finishIn(
  tx: Transaction,
  batch: FinishBatch,
  textBytes: WrittenTexts['bytes'],
): Promise<Finished> {
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
  const status = await count(tx, { batch, job, finished, scraped, totals, found, textBytes });
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
  return run<FinishedRow & Row>(tx, FINISH, [
    jobId,
    outcomes.map((o) => o.urlKey),
    outcomes.map((o) => o.fence),
    outcomes.map((o) => o.state),
    outcomes.map((o) => o.reason),
    outcomes.map((o) => Math.round(o.retryInMs)),
    outcomes.map((o) => o.statusCode),
    outcomes.map((o) => o.rung),
    outcomes.map((o) => o.segment?.key ?? null),
    outcomes.map((o) => o.segment?.offset ?? null),
    outcomes.map((o) => o.segment?.bytes ?? null),
    scrapedBefore,
    outcomes.map((o) => o.latencyMs ?? null),
    // A page that is not kept is no original for others to be copies of.
    outcomes.map((o) => (o.state === 'scraped' ? (o.contentHash ?? null) : null)),
  ]);
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
  readonly textBytes: WrittenTexts['bytes'];
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

/** A document is in its segment and in the result file of the job, which is written when its pages have ended. */
const DOCUMENT_COPIES = 2;

/** What the job keeps of these pages: their documents and texts. */
function keptBytes({ batch, scraped, textBytes }: CountInput): number {
  let bytes = 0;
  for (const { urlKey, segment } of batch.outcomes)
    if (scraped.has(urlKey))
      bytes += DOCUMENT_COPIES * (segment?.bytes ?? 0) + (textBytes.get(urlKey) ?? 0);
  return bytes;
}

async function count(tx: Transaction, input: CountInput): Promise<JobStatus> {
  const { batch, job, finished, totals, found } = input;
  const charges = chargesOf(input);
  const paces = await hostPaces(tx, batch, finished);
  const reasons = [...totals.reasons].map(([key, pages]) => [...key.split('\0'), pages] as const);
  const [row] = await run<{ done: boolean }>(tx, COUNT, [
    batch.jobId,
    job.tenantId,
    charges.map(({ item }) => item),
    charges.map(({ credits }) => credits),
    paces.map((pace) => pace.host),
    paces.map((pace) => pace.finished),
    paces.map((pace) => pace.windowSize),
    paces.map((pace) => pace.typicalMs),
    paces.map((pace) => pace.crawlDelayMs !== undefined),
    paces.map((pace) => pace.crawlDelayMs ?? null),
    paces.map((pace) => Math.round(pace.pauseMs)),
    totals.discovered,
    totals.pending,
    totals.leasedLess,
    totals.scraped,
    totals.failed,
    totals.skipped,
    found.capped,
    reasons.map(([state]) => state),
    reasons.map(([, reason]) => reason),
    reasons.map(([, , pages]) => pages),
    paces.map((pace) => pace.sentAgoMs),
    charges.map(({ costMicroUsd }) => costMicroUsd),
    job.type === 'extract' ? 'extract' : 'crawl',
    job.isHeld,
    recordedBytes(found.rows),
    keptBytes(input),
  ]);
  if (!row?.done) return 'running';
  await closeJob(tx, batch.jobId, 'limit');
  return 'processing';
}
