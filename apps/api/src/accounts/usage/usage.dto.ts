import { ApiProperty } from '@nestjs/swagger';
import { LEGACY_PLANS, type LegacyPlan } from '@app/contracts';
import { CREDIT_STATES, type CreditState } from '@app/accounts';

/** How the credits of this month stand. */
export class CreditStateView {
  @ApiProperty({
    enum: CREDIT_STATES,
    description:
      'ok: the grant of the month is applied; grant_pending, grant_failed: it is withheld until the plan is paid, which is under way or failed; reconciling: the balance differed from the ledger and is being mended; unavailable: the ledger cannot be read just now, and the counters of this record are told as 0.',
  })
  state: CreditState;
  @ApiProperty({ pattern: '^[0-9]{4}-[0-9]{2}$', example: '2026-11' })
  period: string;
  @ApiProperty({
    description: 'Credits of earlier months are held still, or were found to differ.',
  })
  prior_periods_unresolved: boolean;
}

/** One pool of credits. */
export class CreditPoolView {
  @ApiProperty({ type: 'integer', description: 'What the plan granted for this month.' })
  granted: number;
  @ApiProperty({ type: 'integer', description: 'What is left of top-ups, which do not expire.' })
  topped_up: number;
  @ApiProperty({
    type: 'integer',
    description: `What is left of the grant and of top-ups together; ${Number.MAX_SAFE_INTEGER} where nothing bounds them.`,
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
    description:
      'Enrichments and brands draw on this pool first, and on the scrape pool for what it lacks.',
  })
  enrich: CreditPoolView;
  @ApiProperty({
    type: CreditPoolView,
    description: 'Granted and kept: no operation draws on it yet.',
  })
  kyb: CreditPoolView;
}

/** Answer of GET /v1/usage. */
export class UsageRecord {
  @ApiProperty({
    enum: Object.values(LEGACY_PLANS),
    description: 'Hobby is told as starter, scale as business, custom as enterprise.',
  })
  plan: LegacyPlan;
  @ApiProperty({ type: 'integer', description: 'Pages with data since the 1st, UTC.' })
  pages_scraped: number;
  @ApiProperty({
    type: 'integer',
    description: `Credits of a month; ${Number.MAX_SAFE_INTEGER} where nothing bounds them.`,
  })
  pages_quota: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Calls, and pages of jobs, that gave data with the help of a model, since the 1st: extractions, and scrapes with `json` or `summary` among them. An answer from the cache asks no model.',
  })
  llm_extractions: number;
  @ApiProperty({
    type: 'integer',
    description: '0 on the free plan, else as `pages_quota`: extractions cost the same credits.',
  })
  extract_quota: number;
  @ApiProperty({ description: 'What models cost since the 1st, in USD, and nothing else.' })
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
}
