import { isDeepStrictEqual } from 'node:util';
import { run, type Queryable, type Row, type Statement, type Database } from '@app/database';
import { readCrawlOptions, type CrawlOptions } from './crawl-options.js';
import { IS_GONE } from '../frontier/gone-pages.js';
import { SAMPLED_BYTES } from '../pages/job-page-request.js';
import { siteHostOf } from '@app/crawl';
import { type CreditTenant, knownJob, payForJob, unlessUnpaid, type MadeJob } from '@app/accounts';

/** Pages of a crawl that names no limit (specification: `maxPages`). */
export const DEFAULT_CRAWL_PAGES = 10;

export interface NewCrawl {
  readonly id: string;
  /** Who pays. */
  readonly tenant: CreditTenant;
  readonly url: string;
  readonly urlKey: string;
  readonly host: string;
  readonly pageLimit: number;
  readonly options: CrawlOptions;
  readonly webhookUrl: string | null;
  readonly deadlineAt: Date;
  /** Requests a host not seen before may have in flight. */
  readonly hostWindowStart: number;
  /** Documents that a crawl inherits are no older. @default 30 */
  readonly chainDays?: number;
}

/** Longer options, with long lists of patterns, count as what the tenant stores. */
const FREE_OPTIONS_BYTES = 16_384;

const INSERT_JOB: Statement = {
  name: 'create_crawl_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at, discovered, pending,
                           result_bytes, base_id, chain_at)
         VALUES ($1, $2, 'crawl', $3, 'queued', $4, $5, $6, $7, 1, 1, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING 1`,
};
const INSERT_SEED: Statement = {
  name: 'create_crawl_seed',
  text: `WITH known_host AS (
           INSERT INTO hosts (host, window_size) VALUES ($3, $5) ON CONFLICT (host) DO NOTHING
         ), job_host AS (
           INSERT INTO job_hosts (job_id, host) VALUES ($1, $3)
         ), woken AS (
           SELECT pg_notify('trawl_work', '')
         )
         INSERT INTO pages (job_id, url_key, url, host, depth, state)
         SELECT $1, $2, $4, $3, 0, 'pending' FROM woken`,
};

/**
 * Writes job and seed page, and reserves its credits, in one transaction; the dispatchers are woken when it
 * commits. With fewer credits than pages it brings as many pages as there are credits for.
 */
export async function createCrawl(database: Database, crawl: NewCrawl): Promise<MadeJob> {
  return unlessUnpaid(database.transaction((tx) => writeCrawl(tx, crawl)));
}

/** The crawl before may neither expire nor go while its pages are copied. */
const LOCK_BASE: Statement = {
  name: 'recrawl_base',
  text: `SELECT id, url, coalesce(scope_url, url) AS "scopeUrl", options,
                CASE WHEN coalesce(chain_at, created_at) > now() - $3 * interval '1 day'
                     THEN coalesce(chain_at, created_at) END AS "chainAt"
         FROM jobs WHERE id = $1 AND tenant_id = $2 AND type = 'crawl' AND expired_at IS NULL
           AND status IN ('completed', 'failed', 'cancelled') FOR SHARE`,
};

interface BaseCrawl {
  readonly id: string;
  readonly isIndexed: boolean;
  /** Null: everything is fetched anew, as its chain is so long, or this crawl asks for other things. */
  readonly chainAt: Date | null;
}

/** @throws BaseGoneError */
async function baseOf(
  tx: Queryable,
  { url, options, tenant, chainDays = 30 }: NewCrawl,
): Promise<BaseCrawl | null> {
  const { since } = options;
  if (since === undefined) return null;
  const [base] = await run<LockedBase & Row>(tx, LOCK_BASE, [since, tenant.id, chainDays]);
  const hosts = base && [base.url, base.scopeUrl].map((one) => siteHostOf(new URL(one)));
  if (!base || !hosts?.includes(siteHostOf(new URL(url)))) throw new BaseGoneError();
  const { id, chainAt } = base;
  const isSame = isDeepStrictEqual(comparable(base.options), comparable(options));
  return { id, isIndexed: base.options.index === true, chainAt: isSame ? chainAt : null };
}

interface LockedBase {
  readonly id: string;
  readonly url: string;
  readonly scopeUrl: string;
  readonly options: CrawlOptions;
  readonly chainAt: Date | null;
}

/** What decides which pages a crawl has, and what it keeps of each. A job that has ended has no headers and cookies. */
function comparable(options: CrawlOptions): object {
  const stored = JSON.parse(JSON.stringify(options)) as CrawlOptions;
  const { since: _, site: __, index: ___, v2: ____, scrape, ...rest } = readCrawlOptions(stored);
  return { ...rest, scrape: { ...scrape, fetch: { ...scrape.fetch, headers: {}, cookies: null } } };
}

/** Adds pages of the base to the frontier. @param known the rows, of the job $2 */
const copyingSql = (known: string): string => `
    WITH known AS (
      ${known}
    ), page AS (
      INSERT INTO pages AS p (job_id, url_key, url, host, depth, parent_key, state, segment_key, segment_offset, segment_bytes,
                              validators, base_hash)
      SELECT $1, url_key, url, host, depth, parent_key, 'pending', segment_key, segment_offset, segment_bytes,
             validators, base_hash
      FROM known ORDER BY get_byte(uuid_send(url_key), 15) < ${SAMPLED_BYTES} DESC, seq
      ON CONFLICT (job_id, url_key) DO UPDATE SET segment_key = excluded.segment_key, segment_offset = excluded.segment_offset,
        segment_bytes = excluded.segment_bytes, validators = excluded.validators, base_hash = excluded.base_hash
      RETURNING p.url_key, p.url, p.host
    ), host AS (
      INSERT INTO hosts (host, window_size) SELECT DISTINCT host, $3::real FROM page ORDER BY host ON CONFLICT (host) DO NOTHING
    ), job_host AS (
      INSERT INTO job_hosts (job_id, host) SELECT DISTINCT $1::uuid, host FROM page ORDER BY 2 ON CONFLICT DO NOTHING
    ), added AS (
      SELECT count(*)::int AS pages, coalesce(sum(octet_length(url)), 0) AS bytes FROM page WHERE url_key <> $4
    )
    UPDATE jobs SET discovered = discovered + added.pages, pending = pending + added.pages, link_bytes = link_bytes + added.bytes
    FROM added WHERE id = $1 RETURNING added.pages`;
/**
 * The stored pages of the base, each with its document until it is known to differ. An ETag that several pages have says
 * nothing of one. Those that are fetched in full come first: they show whether the validators of their host can be believed.
 * A page whose content has no hash is known by its own key, which no content has.
 */
const COPY_PAGES: Statement = {
  name: 'create_recrawl_pages',
  text: copyingSql(`
      SELECT url_key, url, host, depth, parent_key, coalesce(content_hash, url_key) AS base_hash, seq,
             CASE WHEN $8 THEN segment_key END AS segment_key,
             CASE WHEN $8 THEN segment_offset END AS segment_offset, CASE WHEN $8 THEN segment_bytes END AS segment_bytes,
             CASE WHEN $7 AND (validators LIKE E'\\n%' OR count(*) OVER (PARTITION BY split_part(validators, E'\\n', 1)) = 1)
                  THEN validators END AS validators
      FROM pages WHERE job_id = $2 AND kind = 'page' AND result_no > $5 AND result_no <= $6`),
};
/**
 * Pages that the base could not fetch. Those that a crawl before it had: whoever follows the changes has them still. Of the
 * others so many as this crawl has room for: no page that is unchanged says their addresses again.
 */
const COPY_UNFETCHED: Statement = {
  name: 'create_recrawl_unfetched',
  text: copyingSql(`
      SELECT url_key, url, host, depth, parent_key, base_hash, seq, NULL::text AS segment_key, NULL::int AS segment_offset,
             NULL::int AS segment_bytes, NULL::text AS validators
      FROM pages p WHERE job_id = $2 AND kind = 'page' AND (base_hash IS NOT NULL) = $6 AND result_no IS NULL AND NOT ${IS_GONE}
        AND (base_hash IS NOT NULL OR p.status_code IS NULL OR p.status_code NOT IN (404, 410))
      ORDER BY seq LIMIT $5`),
};
/** Pages copied by one statement. */
const COPIED_AT_ONCE = 50_000;

async function copyKnownPages(tx: Queryable, crawl: NewCrawl, base: BaseCrawl): Promise<void> {
  const { id, pageLimit, options, hostWindowStart } = crawl;
  const inherits = base.chainAt !== null;
  // A page that is not sent again brings no text for a search: it must have been indexed before.
  const mayBeConfirmed = inherits && (options.index !== true || base.isIndexed);
  const copy = async (statement: Statement, ...more: unknown[]): Promise<number> => {
    const values = [id, base.id, hostWindowStart, crawl.urlKey, ...more];
    const [copied] = await run<{ pages: number }>(tx, statement, values);
    return copied?.pages ?? 0;
  };
  let pages = 0;
  for (let after = 0; after < pageLimit; after += COPIED_AT_ONCE) {
    const last = Math.min(pageLimit, after + COPIED_AT_ONCE);
    const copied = await copy(COPY_PAGES, after, last, mayBeConfirmed, inherits);
    if (copied === 0) break;
    pages += copied;
  }
  pages += await copy(COPY_UNFETCHED, pageLimit, true);
  if (pages < pageLimit) await copy(COPY_UNFETCHED, pageLimit - pages, false);
}

/** The crawl whose pages were to be looked at again has expired, runs, is of another site or none of the tenant. */
export class BaseGoneError extends Error {
  override readonly name = 'BaseGoneError';
}

async function writeCrawl(tx: Queryable, crawl: NewCrawl): Promise<MadeJob> {
  const { id, tenant, pageLimit } = crawl;
  const options = JSON.stringify(crawl.options);
  const base = await baseOf(tx, crawl);
  const made = await run(tx, INSERT_JOB, [
    id,
    tenant.id,
    crawl.url,
    options,
    crawl.webhookUrl,
    pageLimit,
    crawl.deadlineAt,
    Math.max(0, Buffer.byteLength(options) - FREE_OPTIONS_BYTES),
    base?.chainAt ? base.id : null,
    base?.chainAt ?? null,
  ]);
  if (made.length === 0) return knownJob(tx, id);
  await run(tx, INSERT_SEED, [id, crawl.urlKey, crawl.host, crawl.url, crawl.hostWindowStart]);
  if (base) await copyKnownPages(tx, crawl, base);
  const paid = { tenant, chargeId: id, operation: 'crawl', credits: pageLimit } as const;
  return { kind: 'created', isNew: true, pageLimit: await payForJob(tx, paid) };
}
