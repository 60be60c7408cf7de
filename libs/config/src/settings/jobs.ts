import { integer, type Field } from '../fields.js';

/** Crawls, batches, their results and webhooks. */
export const JOB_SETTINGS = {
  crawlMaxPages: integer('CRAWL_MAX_PAGES', "Ceiling of a crawl's page limit.", {
    fallback: 1_000,
    min: 1,
    max: 100_000_000,
  }),
  crawlDeadlineHours: integer(
    'CRAWL_DEADLINE_HOURS',
    'A crawl that runs longer ends with what it has.',
    { fallback: 72, min: 1, max: 8_760 },
  ),
  leaseMs: integer(
    'LEASE_MS',
    'A page of a fetcher that stopped answering is given to another after this time.',
    { fallback: 30_000, min: 2_000, max: 30_000 },
  ),
  pageAttempts: integer(
    'PAGE_ATTEMPTS',
    'Tries of one page of a crawl before it counts as failed.',
    { fallback: 3, min: 1, max: 20 },
  ),
  hostWindowStart: integer('HOST_WINDOW_START', 'Requests in flight to a host not seen before.', {
    fallback: 2,
    min: 1,
    max: 1_000,
  }),
  hostWindowMax: integer(
    'HOST_WINDOW_MAX',
    'Most requests in flight to one host, whole cluster together.',
    { fallback: 16, min: 1, max: 1_000 },
  ),
  resultUrlSeconds: integer(
    'RESULT_URL_SECONDS',
    'How long a result_url is valid after it was shown.',
    { fallback: 3_600, min: 10, max: 604_800 },
  ),
  resultDays: integer(
    'RESULT_DAYS',
    'How long results of jobs, their pages, webhook deliveries and stored screenshots are kept.',
    { fallback: 30, min: 1, max: 3_650 },
  ),
  jobDays: integer(
    'JOB_DAYS',
    'How long the state and counts of a job are kept; never shorter than RESULT_DAYS.',
    { fallback: 365, min: 1, max: 36_500 },
  ),
  companyContactsDays: integer(
    'COMPANY_CONTACTS_DAYS',
    'How long e-mail addresses, phone numbers and people of companies are kept after the reading that last saw them.',
    { fallback: 180, min: 1, max: 3_650 },
  ),
  webhookTimeoutMs: integer(
    'WEBHOOK_TIMEOUT_MS',
    'Time a webhook receiver has to answer, connecting included.',
    { fallback: 15_000, min: 100, max: 60_000 },
  ),
  webhookConcurrency: integer(
    'WEBHOOK_CONCURRENCY',
    'Webhooks one API process sends at once; a quarter of them to one tenant.',
    { fallback: 16, min: 1, max: 1_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
