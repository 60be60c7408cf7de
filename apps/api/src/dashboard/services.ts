import type { OpenAPIObject } from '@nestjs/swagger';
import type { ConnectorRegistry } from '@app/connectors';
import type { Runtime } from '@app/runtime';
import type { BillingService } from '../accounts/billing/billing.service.js';
import type { JobsService } from '../jobs/jobs.service.js';
import type { KeysService } from '../accounts/keys/keys.service.js';
import type { OwnCalls } from '../accounts/auth/own-calls.js';
import type { UrlReportService } from '../jobs/results/url-report.service.js';
import type { LiveJobs } from '../jobs/results/live-jobs.js';
import type { LongAnswers } from '../http/long-answers.js';
import type { PageSearchService } from '../jobs/results/page-search.service.js';
import type { ResultsService } from '../jobs/results/results.service.js';
import type { WebhooksService } from '../jobs/webhooks/webhooks.service.js';
import type { FeedsService } from '../feeds/feeds.service.js';
import type { PullService } from '../connectors/pull.service.js';
import type { OneTimeNotes } from './http/one-time-notes.js';
import type { PageSender } from './html/page.js';

/** The services that the pages use: pages show the results of the API's services, and do nothing else. */
export interface DashboardServices {
  readonly runtime: Runtime;
  readonly pages: PageSender;
  readonly notes: OneTimeNotes;
  readonly own: OwnCalls;
  /** The OpenAPI document; made on first use. */
  readonly description: () => OpenAPIObject;
  readonly jobs: JobsService;
  readonly liveJobs: LiveJobs;
  readonly urlReport: UrlReportService;
  readonly results: ResultsService;
  readonly searches: PageSearchService;
  readonly longAnswers: LongAnswers;
  readonly pulls: PullService;
  readonly feeds: FeedsService;
  readonly connectors: ConnectorRegistry;
  readonly keys: KeysService;
  readonly webhooks: WebhooksService;
  readonly billing: BillingService;
}
