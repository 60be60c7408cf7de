import type { JobStatus } from '@app/contracts';
import {
  namedStatement,
  run,
  type Database,
  type Row,
  type Statement,
  type Transaction,
} from '@app/database';
import { admitLinks, linkRoom, NOTHING_ADMITTED } from './admit-links.js';
import { countPages, goneKeys, tally, type FinishedRow, type JobLock } from './count-pages.js';
import type { FinishBatch, FinishResult, MovedRow, PageOutcome } from './page-outcome.js';
import { inheritPageTexts, writePageTexts, type WrittenTexts } from '../search-index/page-texts.js';
import { settleAliases } from './settle-aliases.js';

const LOCK_JOB: Statement = {
  name: 'finish_lock_job',
  text: `SELECT tenant_id AS "tenantId", type, status, scraped, unchanged, discovered, link_bytes::float8 AS "linkBytes", options -> 'index' = 'true' AS "isIndexed",
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
                           $segmentKeys::text[], $segmentOffsets::int[], $segmentBytes::int[], $latencyMs::int[], $contentHashes::uuid[], $validators::text[], $sameAs::uuid[])
      WITH ORDINALITY AS t (url_key, fence, state, reason, retry_in_ms, status_code, rung,
                            segment_key, segment_offset, segment_bytes, latency_ms, content_hash, validators, same_as, ord)
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
           validators = CASE WHEN is_kept THEN h.validators WHEN h.ends = 'pending' THEN p.validators END,
           base_hash = CASE WHEN h.ends <> 'scraped' THEN p.base_hash END, same_as = h.same_as,
           finished_at = CASE WHEN h.state = 'pending' THEN NULL ELSE now() END
    FROM kept h WHERE p.job_id = $jobId AND p.url_key = h.url_key
    RETURNING replace(p.url_key::text, '-', '') AS "urlKey", p.state, p.reason, p.host,
              p.base_hash IS NOT NULL AS "isKnown"`,
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
  await doubtValidators(tx, batch);
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
  const inherited = batch.outcomes.filter(
    ({ urlKey, statusCode }) => statusCode === 304 && scraped.has(urlKey),
  );
  const copied = job.isIndexed ? await inheritPageTexts(tx, batch.jobId, inherited) : new Map();
  const kept = new Map([...textBytes, ...copied]);
  const status = await countPages(tx, {
    ...{ batch, job, finished, scraped, totals, found },
    textBytes: kept,
  });
  return {
    accepted: new Set(finished.map((row) => row.urlKey)),
    scraped,
    gone: goneKeys(finished),
    admitted: found.rows.length,
    status,
  };
}

const DOUBT: Statement = {
  name: 'doubt_validators',
  text: `UPDATE pages SET validators = NULL WHERE job_id = $1 AND host = ANY ($2::text[]) AND state = 'pending' AND validators IS NOT NULL`,
};

/** What waits of a host whose validators say nothing is fetched in full. */
async function doubtValidators(tx: Transaction, { jobId, outcomes }: FinishBatch): Promise<void> {
  const hosts = new Set(outcomes.filter(({ belies }) => belies).map(({ host }) => host));
  if (hosts.size > 0) await run(tx, DOUBT, [jobId, [...hosts]]);
}

function refusedBatch(status: JobStatus): Finished {
  return { accepted: new Set(), scraped: new Set(), gone: new Set(), admitted: 0, status };
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
    validators: outcomes.map((o) => o.validators ?? null),
    sameAs: outcomes.map((o) => o.sameAs ?? null),
    contentHashes: outcomes.map((o) => (o.state === 'scraped' ? (o.contentHash ?? null) : null)),
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
