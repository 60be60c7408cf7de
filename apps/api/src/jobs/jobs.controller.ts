import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { RequiresApiKey } from '../http/documented.js';
import { JobCancelled, JobList, JobView } from './job.dto.js';
import { JobsService } from './jobs.service.js';

@Controller('v1/jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @ApiOperation({ summary: 'List the 20 most recent jobs, newest first', operationId: 'listJobs' })
  @ApiOkResponse({ type: JobList })
  @RequiresApiKey('immediate', 'jobs_unreadable')
  list(@CurrentTenant() tenant: Tenant): Promise<JobList> {
    return this.jobs.list(tenant);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get the state and counts of a job', operationId: 'getJob' })
  @ApiOkResponse({ type: JobView })
  @RequiresApiKey('polls', 'job_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<JobView> {
    return this.jobs.view(tenant, id);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Cancel a job of any kind: crawl, batch or extraction; idempotent',
    operationId: 'cancelJob',
  })
  @ApiOkResponse({ type: JobCancelled })
  @RequiresApiKey('immediate', 'job_not_found')
  cancel(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<JobCancelled> {
    return this.jobs.cancel(tenant, id);
  }
}
