import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JobStatus, JobType } from '@app/contracts';
import type { CrawlOptions } from './create/crawl-options.js';

/** A crawl, a batch or a re-extraction. The counters sum to `discovered` at every commit (CHECK `jobs_sum`). */
@Entity('jobs')
export class JobEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('text')
  type: JobType;

  @Column('text')
  url: string;

  /** What bounds a crawl whose start page ended outside the scope of `url`. */
  @Column('text', { name: 'scope_url', nullable: true })
  scopeUrl: string | null;

  @Column('text')
  status: JobStatus;

  @Column('jsonb')
  options: CrawlOptions;

  @Column('text', { name: 'webhook_url', nullable: true })
  webhookUrl: string | null;

  @Column('integer', { name: 'page_limit' })
  pageLimit: number;

  @Column('integer', { default: 0 })
  discovered: number;

  @Column('integer', { default: 0 })
  pending: number;

  @Column('integer', { default: 0 })
  leased: number;

  @Column('integer', { default: 0 })
  scraped: number;

  @Column('integer', { default: 0 })
  failed: number;

  @Column('integer', { default: 0 })
  skipped: number;

  @Column('integer', { default: 0 })
  cancelled: number;

  /** Links beyond the discovery bound of this job were not recorded. */
  @Column('boolean', { name: 'discovery_capped', default: false })
  discoveryCapped: boolean;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { name: 'result_key', nullable: true })
  resultKey: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'deadline_at' })
  deadlineAt: Date;

  /** Since then its results are deleted, or about to be; its counts stay. */
  @Column('timestamptz', { name: 'expired_at', nullable: true })
  expiredAt: Date | null;
}

/** Columns of `jobs` that make a {@link JobEntity}. Nothing that reads one needs long lists of patterns. */
export const JOB_COLUMNS = `id, tenant_id AS "tenantId", type, url, scope_url AS "scopeUrl", status,
  CASE WHEN pg_column_size(options) > 4096 THEN options - '{includePaths,excludePaths,pathRegexes}'::text[]
       ELSE options END AS options, webhook_url AS "webhookUrl",
  page_limit AS "pageLimit", discovered, pending, leased, scraped, failed, skipped, cancelled,
  discovery_capped AS "discoveryCapped", error, result_key AS "resultKey", created_at AS "createdAt",
  started_at AS "startedAt", completed_at AS "completedAt", deadline_at AS "deadlineAt",
  expired_at AS "expiredAt"`;
