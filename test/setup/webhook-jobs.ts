import { newId } from '@app/contracts';
import { completeJob } from '@app/jobs';
import { type Database } from '@app/database';

const INSERT_JOB = {
  name: 'spec_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at, discovered, scraped)
         VALUES ($1, $2, 'crawl', 'http://site.example/', $3, '{}', $4, 10, now() + interval '1 hour', $5, $5)`,
};

/** A job without pages in the given state. */
export async function insertJob(
  database: Database,
  job: {
    readonly tenantId: string;
    readonly webhookUrl: string | null;
    /** @default 'processing' */
    readonly status?: string;
    /** @default 3 */
    readonly scraped?: number;
  },
): Promise<string> {
  const { tenantId, webhookUrl, status = 'processing', scraped = 3 } = job;
  const id = newId();
  await database.query(INSERT_JOB, [id, tenantId, status, webhookUrl, scraped]);
  return id;
}

/** A job that has just completed, so that its webhook is due. */
export async function endJob(
  database: Database,
  tenantId: string,
  webhookUrl: string,
  resultKey: string | null = null,
): Promise<string> {
  const id = await insertJob(database, { tenantId, webhookUrl });
  await completeJob(database, id, { resultKey, problem: '' });
  return id;
}
