import { ApiProperty } from '@nestjs/swagger';
import { LEGACY_PLANS, type Plan } from '@app/contracts';
import { CREDIT_STATES } from '@app/accounts';

/** The state of this month's credits. */
export class CreditStateView {
  @ApiProperty({
    enum: CREDIT_STATES,
    description:
      'ok: the grant of the month is applied; grant_pending, grant_failed: the grant is withheld until the plan is paid; the payment is in progress or failed; reconciling: the balance differs from the credit ledger and is being corrected; unavailable: the credit ledger cannot be read now, and the counters of this record are 0.',
  })
  state: (typeof CREDIT_STATES)[number];
  @ApiProperty({ pattern: '^[0-9]{4}-[0-9]{2}$', example: '2026-11' })
  period: string;
  @ApiProperty({
    description: 'Credits of earlier months are still reserved, or differ from the credit ledger.',
  })
  prior_periods_unresolved: boolean;
}

/** One pool of credits. */
export class CreditPoolView {
  @ApiProperty({ type: 'integer', description: "The plan's grant for this month." })
  granted: number;
  @ApiProperty({ type: 'integer', description: 'Top-up credits left; they do not expire.' })
  topped_up: number;
  @ApiProperty({
    type: 'integer',
    description: `Credits left of the grant and the top-ups together; ${Number.MAX_SAFE_INTEGER} if unlimited.`,
  })
  remaining: number;
}

/** The pools of credits (specification: Limits, "Credit grants per plan"). */
export class CreditPoolsView {
  @ApiProperty({
    type: CreditPoolView,
    description: 'The common pool: every operation can draw on it. `pages_quota` is its grant.',
  })
  scrape: CreditPoolView;
  @ApiProperty({
    type: CreditPoolView,
    description: 'Enrichments and brands draw on this pool first; the scrape pool covers the rest.',
  })
  enrich: CreditPoolView;
  @ApiProperty({
    type: CreditPoolView,
    description: 'No operation draws on it yet.',
  })
  kyb: CreditPoolView;
}

/** What is stored for the account. */
export class StorageView {
  @ApiProperty({
    type: 'integer',
    description:
      'Of jobs whose results are kept (addresses, documents, texts) and of cached pages.',
  })
  bytes: number;
  @ApiProperty({
    type: 'integer',
    description: `No job starts above it (413); ${Number.MAX_SAFE_INTEGER} if unlimited.`,
  })
  limit: number;
}

/** Response of GET /v1/usage. */
export class UsageRecord {
  @ApiProperty({
    enum: Object.values(LEGACY_PLANS),
    description: 'Hobby is reported as starter, scale as business, custom as enterprise.',
  })
  plan: (typeof LEGACY_PLANS)[Plan];
  @ApiProperty({ type: 'integer', description: 'Pages with data since the 1st, UTC.' })
  pages_scraped: number;
  @ApiProperty({
    type: 'integer',
    description: `Credits of a month; ${Number.MAX_SAFE_INTEGER} if unlimited.`,
  })
  pages_quota: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Calls and pages of jobs since the 1st that returned data from a model: extractions, and scrapes with `json` or `summary`. A cached response uses no model.',
  })
  llm_extractions: number;
  @ApiProperty({
    type: 'integer',
    description: '0 on the free plan, else as `pages_quota`: extractions cost the same credits.',
  })
  extract_quota: number;
  @ApiProperty({ description: 'Cost of models since the 1st, in USD.' })
  cost_usd: number;
  @ApiProperty({ pattern: '^[0-9]{4}-[0-9]{2}$', example: '2026-11' })
  year_month: string;
  @ApiProperty({ type: CreditStateView })
  credits: CreditStateView;
  @ApiProperty({
    type: CreditPoolsView,
    description:
      'The balance of each pool, without the credits reserved for running calls and jobs.',
  })
  credit_pools: CreditPoolsView;
  @ApiProperty({ type: StorageView })
  storage: StorageView;
}
