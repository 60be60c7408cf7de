import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CREDIT_POOLS,
  LEGACY_PLANS,
  PLANS,
  type CreditPool,
  type LegacyPlan,
  type Plan,
} from '@app/contracts';

export const OVERAGE_KINDS = ['none', 'block', 'agreed'] as const;

const AS_AGREED = 'Null: as agreed.';

/** What happens when the credits of a month are spent. */
export class OverageView {
  @ApiProperty({
    enum: OVERAGE_KINDS,
    description:
      'none: requests are refused with 402; block: credits go on in blocks that are billed; agreed: as agreed.',
  })
  kind: (typeof OVERAGE_KINDS)[number];
  @ApiProperty({ type: Number, nullable: true, description: 'US dollars a block; else null.' })
  price_usd: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Credits a block; else null.' })
  credits: number | null;
}

/** A plan: what it costs, grants and bounds. */
export class PlanView {
  @ApiProperty({ enum: PLANS })
  plan: Plan;
  @ApiProperty({ enum: Object.values(LEGACY_PLANS), description: 'Its name of before.' })
  legacy_plan: LegacyPlan;
  @ApiProperty({ type: Number, nullable: true, description: `US dollars. ${AS_AGREED}` })
  price_per_month_usd: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: `US dollars a month when billed yearly. ${AS_AGREED}`,
  })
  price_per_month_billed_yearly_usd: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `Granted on the 1st of a month, UTC. ${AS_AGREED}`,
  })
  credits_per_month: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `Granted with them for the enrich pool, which enrichments and brands draw on first. ${AS_AGREED}`,
  })
  enrich_credits_per_month: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `Granted with them for the KYB pool, and kept: no endpoint draws on it yet. ${AS_AGREED}`,
  })
  kyb_credits_per_month: number | null;
  @ApiProperty({ type: OverageView })
  overage: OverageView;
  @ApiProperty({ type: 'integer' })
  requests_per_minute: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Requests that may be answered at a time. Null: as many as the service can.',
  })
  concurrent_requests: number | null;
  @ApiPropertyOptional({
    description: 'Whether the plan has web search. Absent where the service has none.',
  })
  search?: boolean;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of results of one search. Absent where the service has no search.',
  })
  search_results?: number;
  @ApiProperty({ type: 'integer' })
  screenshots_per_day: number;
  @ApiProperty({ type: 'integer', description: 'Pages of one batch fetched at a time.' })
  batch_workers: number;
  @ApiProperty({ type: 'integer', description: 'Most links of one map.' })
  map_links: number;
}

/** What a call of an endpoint costs. */
export class EndpointPriceView {
  @ApiProperty({ example: 'POST' })
  method: string;
  @ApiProperty({ example: '/v1/scrape' })
  path: string;
  @ApiProperty({ type: 'integer', description: 'Credits for each unit that gives data.' })
  credits: number;
  @ApiProperty({
    enum: CREDIT_POOLS,
    description: 'The pool they are drawn from first; what it lacks comes from the scrape pool.',
  })
  pool: CreditPool;
  @ApiProperty({ example: 'page', description: 'What is counted.' })
  unit: string;
  @ApiProperty({ type: String, nullable: true, description: 'What is free, or comes on top.' })
  note: string | null;
}

/** Answer of GET /v1/pricing. */
export class PricingView {
  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';
  @ApiProperty({ type: [PlanView], description: 'From the smallest to the largest.' })
  plans: readonly PlanView[];
  @ApiProperty({
    type: [EndpointPriceView],
    description:
      'Endpoints that cost credits; the others cost none. A call that gives no data costs none either.',
  })
  endpoints: readonly EndpointPriceView[];
}
