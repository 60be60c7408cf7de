import { parseSealingKeys } from '@app/secrets';
import { checked, integer, type Field } from '../fields.js';

/** Crawls, batches, their results and webhooks, and the logins that they use. */
export const JOB_SETTINGS = {
  crawlMaxPages: integer('CRAWL_MAX_PAGES', 'Maximum page limit of a crawl.', {
    fallback: 1_000,
    min: 1,
    max: 100_000_000,
  }),
  crawlDeadlineHours: integer(
    'CRAWL_DEADLINE_HOURS',
    'A crawl that runs longer ends with the pages it has.',
    { fallback: 72, min: 1, max: 8_760 },
  ),
  leaseMs: integer(
    'LEASE_MS',
    'After this time the page of a fetcher that stopped responding is assigned to another fetcher.',
    { fallback: 30_000, min: 2_000, max: 30_000 },
  ),
  pageAttempts: integer(
    'PAGE_ATTEMPTS',
    'Attempts for one page of a crawl before it counts as failed.',
    { fallback: 3, min: 1, max: 20 },
  ),
  hostWindowStart: integer('HOST_WINDOW_START', 'Requests in flight to an unknown host.', {
    fallback: 2,
    min: 1,
    max: 1_000,
  }),
  hostWindowMax: integer(
    'HOST_WINDOW_MAX',
    'Maximum number of requests in flight to one host, for the whole cluster.',
    { fallback: 16, min: 1, max: 1_000 },
  ),
  resultUrlSeconds: integer(
    'RESULT_URL_SECONDS',
    'How long a result_url is valid after the response that shows it.',
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
    'How long phone numbers and e-mail addresses of companies are kept after the reading that last found them.',
    { fallback: 180, min: 1, max: 3_650 },
  ),
  profileKeys: checked(
    'PROFILE_KEYS',
    'Keys that the cookies of profiles are encrypted with: 32 random bytes each in base64, comma-separated; the first encrypts, all decrypt. Set it on the API and on the fetchers; default of the embedded start: a key in DATA_DIR; empty: there are no profiles.',
    parseSealingKeys,
    { fallback: '', isSecret: true },
  ),
  profileDays: integer(
    'PROFILE_DAYS',
    'How long a profile that is not used is kept, if its cookies do not end before.',
    { fallback: 30, min: 1, max: 365 },
  ),
  webhookTimeoutMs: integer(
    'WEBHOOK_TIMEOUT_MS',
    'Time a webhook receiver has to respond, connecting included.',
    { fallback: 15_000, min: 100, max: 60_000 },
  ),
  webhookConcurrency: integer(
    'WEBHOOK_CONCURRENCY',
    'Webhooks that one API process sends at once; at most a quarter of them for one tenant.',
    { fallback: 16, min: 1, max: 1_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
