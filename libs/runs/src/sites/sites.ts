import { newId, type JobStatus } from '@app/contracts';
import {
  run,
  type Database,
  type Queries,
  type Row,
  type Statement,
  type TenantData,
} from '@app/database';

/** A site under a name: how it is crawled, and when. */
export interface Site {
  readonly name: string;
  /** Body of POST /v1/crawl. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Cron expression; null: it is crawled when that is requested. */
  readonly schedule: string | null;
  readonly timeZone: string;
  readonly nextAt: Date | null;
  readonly lastJob: string | null;
  /** Why the last crawl was not started. */
  readonly problem: string | null;
  readonly createdAt: Date;
}

export type PutSite = Pick<Site, 'name' | 'request' | 'schedule' | 'timeZone' | 'nextAt'>;

const COLUMNS = `name, request, schedule, time_zone AS "timeZone", next_at AS "nextAt", last_job AS "lastJob", problem,
  created_at AS "createdAt"`;

/** Two that are put at once are counted one after the other. */
const LOCK: Statement = {
  name: 'lock_tenant_sites',
  text: 'SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const PUT: Statement = {
  name: 'put_site',
  text: `
    INSERT INTO sites (tenant_id, name, request, schedule, time_zone, next_at)
    SELECT $1::uuid, $2::text, $3::json, $4::text, $5::text, $6::timestamptz
    WHERE EXISTS (SELECT FROM sites WHERE tenant_id = $1 AND name = $2)
      OR (SELECT count(*) FROM sites WHERE tenant_id = $1) < $7
    ON CONFLICT (tenant_id, name) DO UPDATE SET request = excluded.request, schedule = excluded.schedule,
      time_zone = excluded.time_zone, next_at = excluded.next_at
    RETURNING ${COLUMNS}`,
};
const LIST: Statement = {
  name: 'list_sites',
  text: `SELECT ${COLUMNS} FROM sites WHERE tenant_id = $1 ORDER BY name`,
};
const FIND: Statement = {
  name: 'find_site',
  text: `SELECT ${COLUMNS} FROM sites WHERE tenant_id = $1 AND name = $2`,
};
const DELETE: Statement = {
  name: 'delete_site',
  text: 'DELETE FROM sites WHERE tenant_id = $1 AND name = $2 RETURNING 1',
};
const ERASE: Statement = {
  name: 'delete_sites_of_tenant',
  text: 'DELETE FROM sites WHERE tenant_id = $1 AND created_at <= $2',
};

/** Puts a site in the place of one of its name; null: the account has as many as its plan allows. */
export function putSite(
  database: Database,
  tenantId: string,
  { site, limit }: { readonly site: PutSite; readonly limit: number },
): Promise<Site | null> {
  const { name, request, schedule, timeZone, nextAt } = site;
  return database.transaction(async (tx) => {
    await run(tx, LOCK, [tenantId]);
    const values = [tenantId, name, JSON.stringify(request), schedule, timeZone, nextAt, limit];
    const [put] = await run<Site & Row>(tx, PUT, values);
    return put ?? null;
  });
}

export function listSites(database: Queries, tenantId: string): Promise<Site[]> {
  return database.query<Site & Row>(LIST, [tenantId]);
}

export async function findSite(
  database: Queries,
  tenantId: string,
  name: string,
): Promise<Site | null> {
  const [site] = await database.query<Site & Row>(FIND, [tenantId, name]);
  return site ?? null;
}

/** Its crawls stay. */
export async function deleteSite(
  database: Database,
  tenantId: string,
  name: string,
): Promise<boolean> {
  return (await database.query(DELETE, [tenantId, name])).length > 0;
}

/** Those of a tenant, which are no more than its plan allows. */
export async function deleteTenantSites(
  database: Database,
  { tenantId, until }: Omit<TenantData, 'limit'>,
): Promise<void> {
  await database.query(ERASE, [tenantId, until]);
}

/** A crawl to start. */
export interface SiteCrawl extends Site {
  readonly tenantId: string;
  /** The same until it is started, whichever process does. */
  readonly jobId: string;
  /** The crawl that it compares the site with; null: there is none yet. */
  readonly since: string | null;
}

/** A crawl that was completed is what the next one compares with; while one runs, none is started. */
const CLAIM = (which: string): Statement => ({
  name: `claim_site_${which === DUE ? 'due' : 'named'}`,
  text: `
    WITH site AS (
      SELECT s.tenant_id, s.name, last.status FROM sites s LEFT JOIN jobs last ON last.id = s.last_job
      WHERE ${which} AND (s.lease_until IS NULL OR s.lease_until <= now())
      ORDER BY s.next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED
    )
    UPDATE sites SET starting_job = coalesce(starting_job, $1::uuid), lease_until = now() + interval '1 minute',
      base_job = CASE WHEN site.status = 'completed' THEN last_job ELSE base_job END
    FROM site WHERE sites.tenant_id = site.tenant_id AND sites.name = site.name
    RETURNING sites.tenant_id AS "tenantId", starting_job AS "jobId", base_job AS since, site.status AS "lastStatus",
      sites.name, request, schedule, time_zone AS "timeZone", next_at AS "nextAt", last_job AS "lastJob", problem,
      created_at AS "createdAt"`,
});
const DUE = 's.next_at <= now()';
const CLAIM_DUE = CLAIM(DUE);
const CLAIM_NAMED = CLAIM('s.tenant_id = $2 AND s.name = $3');

export interface ClaimedSite extends SiteCrawl {
  /** Of its last crawl; null: there is none, or no more. */
  readonly lastStatus: JobStatus | null;
}

/** A site whose crawl is due, for a minute; null: there is none. */
export async function claimDueSite(database: Database): Promise<ClaimedSite | null> {
  const [site] = await database.query<ClaimedSite & Row>(CLAIM_DUE, [newId()]);
  return site ?? null;
}

/** A site whose crawl is requested, for a minute; null: there is none, or it is being started. */
export async function claimSite(
  database: Database,
  { tenantId, name, jobId }: Pick<SiteCrawl, 'tenantId' | 'name' | 'jobId'>,
): Promise<ClaimedSite | null> {
  const [site] = await database.query<ClaimedSite & Row>(CLAIM_NAMED, [jobId, tenantId, name]);
  return site ?? null;
}

const RELEASE: Statement = {
  name: 'release_site',
  text: `
    UPDATE sites SET lease_until = NULL, starting_job = NULL, problem = $5,
      last_job = coalesce($4::uuid, (SELECT id FROM jobs WHERE id = starting_job), last_job),
      next_at = CASE WHEN next_at IS NOT DISTINCT FROM $7::timestamptz THEN $6::timestamptz ELSE next_at END
    WHERE tenant_id = $1 AND name = $2 AND starting_job = $3::uuid`,
};

/**
 * Ends a claim. A schedule that was put meanwhile holds.
 * @param end the crawl that was started, or why none was; when the next one is due
 */
export async function releaseSite(
  database: Database,
  {
    tenantId,
    name,
    jobId,
    nextAt: dueAt,
  }: Pick<SiteCrawl, 'tenantId' | 'name' | 'jobId' | 'nextAt'>,
  end: {
    readonly startedJob: string | null;
    readonly problem: string | null;
    readonly nextAt: Date | null;
  },
): Promise<void> {
  const { startedJob, problem, nextAt } = end;
  await database.query(RELEASE, [tenantId, name, jobId, startedJob, problem, nextAt, dueAt]);
}

const CRAWLS: Statement = {
  name: 'completed_crawls_of_site',
  text: `
    SELECT id, completed_at AS "completedAt" FROM jobs
    WHERE tenant_id = $1 AND options ->> 'site' = $2 AND status = 'completed' AND expired_at IS NULL
      AND created_at > coalesce((SELECT created_at FROM jobs WHERE id = $3 AND tenant_id = $1), '-infinity')
    ORDER BY created_at, id LIMIT $4`,
};

/** The crawls of a site that were completed after one of them, or all, the oldest first. */
export function completedCrawls(
  database: Queries,
  tenantId: string,
  {
    name,
    after,
    most,
  }: { readonly name: string; readonly after: string | null; readonly most: number },
): Promise<{ readonly id: string; readonly completedAt: Date }[]> {
  return database.query(CRAWLS, [tenantId, name, after, most]);
}
