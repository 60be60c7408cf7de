import { Injectable } from '@nestjs/common';
import { isId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { cancelJob, findJob, jobReasons, recentJobs, type JobEntity, resultUrl } from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { InjectRuntime } from '../runtime.token.js';
import type { JobCancelled, JobList, JobView } from './job.dto.js';
import { presentJob, presentSummary } from './present-job.js';

/** "20 most recent" (specification: Limits). */
const LISTED_JOBS = 20;

export interface ViewedJob {
  readonly view: JobView;
  /** Its page limit. */
  readonly limit: number;
  /** Whether the text of its pages can be searched. */
  readonly isIndexed: boolean;
  /** Whether it takes screenshots of its pages. */
  readonly hasPictures: boolean;
}

@Injectable()
export class JobsService {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<
      Runtime,
      'database' | 'settings' | 'log' | 'metrics' | 'downloadSecret' | 'publicUrl'
    >,
  ) {}

  async list(tenant: Tenant): Promise<JobList> {
    try {
      const jobs = await recentJobs(this.runtime.database, tenant.id, LISTED_JOBS);
      return { jobs: jobs.map(presentSummary) };
    } catch (cause) {
      this.runtime.log.error({ err: cause }, 'jobs could not be listed');
      throw new ApiError('jobs_unreadable', {}, { cause });
    }
  }

  /** The tenant's job. Another tenant's job is reported like an unknown one. */
  async find(tenant: Tenant, id: string): Promise<JobEntity> {
    const job = isId(id) ? await findJob(this.runtime.database, tenant.id, id) : null;
    if (!job) throw new ApiError('job_not_found');
    return job;
  }

  /** The same, with its results. @throws ApiError also if they have expired */
  async findKept(tenant: Tenant, id: string): Promise<JobEntity> {
    const job = await this.find(tenant, id);
    if (job.expiredAt !== null) throw new ApiError('results_expired');
    return job;
  }

  /** Cancels a job of any kind; one that has ended keeps its state. */
  async cancel(tenant: Tenant, id: string): Promise<JobCancelled> {
    const job = await this.find(tenant, id);
    const end = await cancelJob(this.runtime.database, tenant.id, job.id);
    if (!end) throw new ApiError('job_not_found');
    const seconds = (Date.now() - job.createdAt.getTime()) / 1_000;
    if (end.changed)
      this.runtime.metrics.jobEnded({ type: job.type, outcome: 'cancelled' }, seconds);
    return { jobId: job.id, status: end.status, cancelled: end.status === 'cancelled' };
  }

  async view(tenant: Tenant, id: string): Promise<JobView> {
    return (await this.viewWithLimit(tenant, id)).view;
  }

  /** The same, with what its page shows besides. */
  async viewWithLimit(tenant: Tenant, id: string): Promise<ViewedJob> {
    const job = await this.find(tenant, id);
    const reasons = await jobReasons(this.runtime.database.asReader(tenant.id), job.id);
    const view = presentJob(job, reasons, resultUrl(this.runtime, job));
    const { index, scrape } = job.options;
    const hasPictures = scrape?.formats.includes('screenshot') === true;
    return { view, limit: job.pageLimit, isIndexed: index === true, hasPictures };
  }
}
