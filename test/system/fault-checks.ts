import { treeMarker, until, type JobResponse, type ResultPage } from '@app/testing';
import { AUDIT } from '../../libs/accounts/test/credit-fixture.js';
import { markerOf, missingOf } from './batch-run.js';
import type { Deployment } from './deployment.js';
import { sendTwice, endOf, listPageOf, type FaultJob } from './fault-jobs.js';
import type { FaultRun } from './fault-run.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

/** An address of a job on the wire, as far as tests examine it. */
interface ReportedUrl {
  readonly url: string;
  readonly state: string;
}

/** Everything that must hold when a run is over: nothing lost, nothing twice, nothing left behind. */
export async function expectWhole(
  service: Deployment,
  run: FaultRun,
  pages: number,
): Promise<void> {
  for (const { process, app } of service.apps)
    expect([app, process.hasExited]).toEqual([app, false]);
  await expectExactCrawl(service, await service.client.job(run.crawl.id), pages);
  await expectEveryLink(service, run.crawl.id);
  for (const batch of run.batches) await expectExactBatch(service, batch);
  await expectOneJobEach(service, [run.crawl, ...run.batches]);
  await expectNothingReserved(service);
  for (const { id } of [run.crawl, ...run.batches]) {
    await expectRowsAsCounted(service, id);
    await expectBlobsInUse(service, id, run.kills.length);
  }
}

/** What must hold after any crawl of `pages`, whatever was killed on the way. */
export async function expectExactCrawl(
  service: Deployment,
  job: JobResponse,
  pages: number,
): Promise<void> {
  expect(job).toMatchObject({ status: 'completed', pages_scraped: pages });
  expect(missingOf(job)).toBe(0);
  const documents = await documentsOf(service, job.id);
  for (const { url, markdown } of documents)
    expect(markdown).toContain(treeMarker(Number(url.split('/').at(-1))));
  expect(new Set(documents.map(({ url }) => url)).size).toBe(pages);
  expect(documents).toHaveLength(pages);
  await expectChargedOnce(service, job);
  await expectWholeFile(job, documents);
}

/** One entry for each address in the order of the list, each ended as it has to. */
async function expectExactBatch(service: Deployment, { id, urls }: FaultJob): Promise<void> {
  const list = urls ?? [];
  const distinct = [...new Set(list)];
  const ends = Map.groupBy(distinct, endOf);
  const { scraped: kept = [], failed = [], skipped = [] } = Object.fromEntries(ends);
  const job = await service.client.job(id);
  expect(job).toMatchObject({ type: 'batch', status: 'completed', pages_scraped: kept.length });
  expect(job).toMatchObject({
    failed: { http_error: failed.length },
    skipped: { robots: skipped.length },
  });
  expect(missingOf(job)).toBe(0);
  const entries = await urlReportOf(service, job);
  expect(entries.map(({ url, state }) => [url, state])).toEqual(
    distinct.map((url) => [url, endOf(url)]),
  );
  const documents = await documentsOf(service, id);
  expect(documents.map(({ index }) => list[index ?? -1]).toSorted()).toEqual(kept.toSorted());
  for (const { index, markdown, metadata } of documents) {
    const url = String(metadata['sourceURL']);
    expect(index).toBe(list.indexOf(url));
    expect(markdown).toContain(markerOf(listPageOf(url)));
  }
  await expectChargedOnce(service, job);
  await expectWholeFile(job, documents);
}

async function documentsOf({ client }: Deployment, id: string): Promise<ResultPage[]> {
  const documents: ResultPage[] = [];
  for await (const document of client.ndjson(id)) documents.push(document);
  return documents;
}

/** The file holds what `/results` does, in the same order. */
async function expectWholeFile(job: JobResponse, documents: readonly ResultPage[]): Promise<void> {
  const file = (await (await fetch(job.result_url ?? '')).json()) as readonly ResultPage[];
  expect(file.map(({ url }) => url)).toEqual(documents.map(({ url }) => url));
}

/** A credit for each page that was kept, and for no other. */
async function expectChargedOnce({ database }: Deployment, job: JobResponse): Promise<void> {
  const text = `
    SELECT count(l.item)::int AS rows, count(DISTINCT l.item)::int AS items, coalesce(sum(l.credits), 0)::int AS credits,
           count(*) FILTER (WHERE l.item IS NULL OR p.state IS DISTINCT FROM 'scraped')::int AS unequal
    FROM (SELECT * FROM pages WHERE job_id = $1 AND state = 'scraped') p
    FULL JOIN (SELECT * FROM credit_ledger WHERE reference = $1) l ON l.item = p.url_key`;
  const rows = await database.query({ name: 'charges_of_job', text }, [job.id]);
  const pages = job.pages_scraped;
  expect(rows).toEqual([{ rows: pages, items: pages, credits: pages, unequal: 0 }]);
}

/** Credits that a tenant was charged. */
export async function creditsOf(
  { database }: Pick<Deployment, 'database'>,
  tenantId: string,
): Promise<number> {
  const text = `SELECT coalesce(sum(credits), 0)::int AS credits FROM credit_ledger WHERE tenant_id = $1`;
  const statement = { name: 'credits_of_tenant', text };
  const [row] = await database.query<{ credits: number }>(statement, [tenantId]);
  return row?.credits ?? NaN;
}

/** The balances are what their entries add up to, and no credit is reserved. */
export async function expectAccountsInOrder({ database }: Deployment): Promise<void> {
  expect(await database.query({ name: 'audit_of_credits', text: AUDIT })).toEqual([]);
  const text = 'SELECT * FROM credit_holds';
  expect(await database.query({ name: 'credits_reserved', text })).toEqual([]);
}

/** `GET /v1/crawl/:id/urls` to its end; each page of it must add up to what was discovered. */
async function urlReportOf(
  { client }: Deployment,
  job: JobResponse,
): Promise<readonly ReportedUrl[]> {
  const { discovered, ...counts } = job.pages;
  const entries: ReportedUrl[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const answer = await client.call('GET', `/v1/crawl/${job.id}/urls?${query}`);
    expect(answer).toMatchObject({ status: 200, body: { discovered, counts } });
    const body = answer.body as { urls: readonly ReportedUrl[]; next: string | null };
    entries.push(...body.urls);
    cursor = body.next;
  }
  expect(entries).toHaveLength(discovered);
  for (const [state, count] of Object.entries(counts))
    expect([state, entries.filter((entry) => entry.state === state).length]).toEqual([
      state,
      count,
    ]);
  return entries;
}

/** Every link of every stored page is in the URL report once, nothing else is, and no page was abandoned. */
async function expectEveryLink(service: Deployment, id: string): Promise<void> {
  const job = await service.client.job(id);
  const entries = await urlReportOf(service, job);
  const linked = new Set([job.url]);
  for (const { links = [] } of await documentsOf(service, id))
    for (const link of links) linked.add(withoutFragment(link));
  expect(entries.map(({ url }) => url).toSorted()).toEqual([...linked].toSorted());
  expect(job.failed).toEqual({});
  expect(Object.keys(job.skipped)).toEqual(['limit']);
}

function withoutFragment(link: string): string {
  const url = new URL(link);
  url.hash = '';
  return url.href;
}

/** The requests sent once more: the same jobs again, and there are no others. */
async function expectOneJobEach(service: Deployment, jobs: readonly FaultJob[]): Promise<void> {
  for (const { id, asked } of jobs) expect(await sendTwice(service, asked)).toBe(id);
  const text = 'SELECT id FROM jobs ORDER BY id';
  const rows = await service.database.query<{ id: string }>({ name: 'all_jobs', text });
  expect(rows.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id).toSorted());
}

const HELD = {
  name: 'held_by_anybody',
  text: `
    SELECT (SELECT coalesce(sum(in_flight), 0)::int FROM hosts) AS "inFlight",
           (SELECT count(*)::int FROM pages WHERE state IN ('pending', 'leased')) AS "openPages",
           (SELECT count(*)::int FROM jobs WHERE leased > 0 OR pending > 0 OR rest_reason IS NOT NULL
              OR finish_lease_until IS NOT NULL) AS "openJobs",
           (SELECT count(*)::int FROM outbox) AS outbox,
           (SELECT count(*)::int FROM webhook_receivers) AS receivers,
           (SELECT count(*)::int FROM idempotency_keys WHERE owner IS NOT NULL) AS claims`,
};
/** The relay waits 12 s before it takes what another process may be publishing. */
const LET_GO_MS = 45_000;

/** Leases, places at hosts, messages and claims: what dead processes held is free. */
export async function expectNothingReserved({ database }: Deployment): Promise<void> {
  const held = () => database.query<Record<string, number>>(HELD);
  const isFree = async () => Object.values((await held())[0] ?? {}).every((count) => count === 0);
  // The expectation below reports what is still held.
  await until(isFree, { timeoutMs: LET_GO_MS, intervalMs: 200 }).catch(() => undefined);
  const free = { inFlight: 0, openPages: 0, openJobs: 0, outbox: 0, receivers: 0, claims: 0 };
  expect(await held()).toEqual([free]);
}

/** The counters of a job are those of its rows. */
async function expectRowsAsCounted({ database, client }: Deployment, id: string): Promise<void> {
  const text = `SELECT coalesce(jsonb_object_agg(state, pages), '{}') AS states
                FROM (SELECT state, count(*)::int AS pages FROM pages WHERE job_id = $1 GROUP BY state) s`;
  const [row] = await database.query<{ states: object }>({ name: 'rows_by_state', text }, [id]);
  const { discovered: _, ...counts } = (await client.job(id)).pages;
  const present = Object.entries(counts).filter(([, pages]) => pages > 0);
  expect(row?.states).toEqual(Object.fromEntries(present));
}

/**
 * Each blob that a row refers to is there. A process that dies between storing and committing leaves
 * one that no row refers to; it goes with the results of its job (docs/architecture.md, Retention).
 */
async function expectBlobsInUse(service: Deployment, id: string, most: number): Promise<void> {
  const text = `SELECT DISTINCT segment_key AS key FROM pages WHERE job_id = $1 AND segment_key IS NOT NULL
                UNION SELECT result_key FROM jobs WHERE id = $1`;
  const rows = await service.database.query<{ key: string }>({ name: 'blobs_of_job', text }, [id]);
  const used = rows.map(({ key }) => key);
  const stored = await keysWith(service, `/${id}/`);
  expect(used.filter((key) => !stored.includes(key))).toEqual([]);
  const unused = stored.filter((key) => !used.includes(key));
  for (const key of unused)
    expect(key).toMatch(/\/(segments\/[\w-]+\.zst|results-[\w-]+\.json\.\w+)$/);
  expect(unused.length).toBeLessThanOrEqual(most);
}

/** Deleted on request is what dead processes left behind, too. */
export async function expectErased(service: Deployment, run: FaultRun): Promise<void> {
  const { client } = service;
  const asked = await client.call('DELETE', '/v1/data');
  const { deletionId } = asked.body as { deletionId: string };
  const state = async () =>
    (await client.call('GET', `/v1/data/deletions/${deletionId}`)).body as { status: string };
  await until(async () => (await state()).status === 'completed', {
    what: 'the deletion',
    timeoutMs: 120_000,
    intervalMs: 200,
  });
  for (const { id } of [run.crawl, ...run.batches])
    expect(await keysWith(service, `/${id}/`)).toEqual([]);
}

async function keysWith(service: Deployment, part: string): Promise<string[]> {
  const blobs = storageOf(service);
  try {
    return await blobKeysWith(blobs, part, 'jobs/');
  } finally {
    await blobs.close();
  }
}
