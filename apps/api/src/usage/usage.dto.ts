import { ApiProperty } from '@nestjs/swagger';
import { LEGACY_PLANS, type LegacyPlan } from '@app/contracts';
import { CREDIT_STATES, type CreditState } from '@app/store';

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
    description: 'Extractions with a schema that gave data, since the 1st.',
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
}
