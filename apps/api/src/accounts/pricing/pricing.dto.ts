import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LEGACY_PLANS, PLANS, type Plan } from '@app/contracts';
import { CREDIT_POOLS, type CreditPool } from '@app/accounts';

export const OVERAGE_KINDS = ['none', 'block', 'agreed'] as const;

const AS_AGREED = 'Null: as agreed.';

/** The overage rule once the month's credits are spent. */
export class OverageView {
  @ApiProperty({
    enum: OVERAGE_KINDS,
    description:
      'none: requests are refused with 402; block: further credits are billed in blocks; agreed: by individual agreement.',
  })
  kind: (typeof OVERAGE_KINDS)[number];
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'US dollars per block; null for the others.',
  })
  price_usd: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Credits per block; null for the others.',
  })
  credits: number | null;
}

/** A plan: its price, credits and limits. */
export class PlanView {
  @ApiProperty({ enum: PLANS })
  plan: Plan;
  @ApiProperty({ enum: Object.values(LEGACY_PLANS), description: 'Its legacy name.' })
  legacy_plan: (typeof LEGACY_PLANS)[Plan];
  @ApiProperty({ type: Number, nullable: true, description: `US dollars. ${AS_AGREED}` })
  price_per_month_usd: number | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: `US dollars per month, billed yearly. ${AS_AGREED}`,
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
    description: `Granted at the same time to the enrich pool, which enrichments and brands draw on first. ${AS_AGREED}`,
  })
  enrich_credits_per_month: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `Granted at the same time to the KYB pool; no endpoint draws on it yet. ${AS_AGREED}`,
  })
  kyb_credits_per_month: number | null;
  @ApiProperty({ type: OverageView })
  overage: OverageView;
  @ApiProperty({ type: 'integer' })
  requests_per_minute: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Maximum number of concurrent requests. Null: no limit.',
  })
  concurrent_requests: number | null;
  @ApiPropertyOptional({
    description: 'Whether the plan has web search. Absent if the service has none.',
  })
  search?: boolean;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of results of one search. Absent if the service has no search.',
  })
  search_results?: number;
  @ApiProperty({ type: 'integer' })
  screenshots_per_day: number;
  @ApiProperty({ type: 'integer', description: 'Pages of one batch fetched at a time.' })
  batch_workers: number;
  @ApiProperty({ type: 'integer', description: 'Maximum number of links of one map.' })
  map_links: number;
}

/** The price of an endpoint. */
export class EndpointPriceView {
  @ApiProperty({ example: 'POST' })
  method: string;
  @ApiProperty({ example: '/v1/scrape' })
  path: string;
  @ApiProperty({ type: 'integer', description: 'Credits for each unit that returns data.' })
  credits: number;
  @ApiProperty({
    enum: CREDIT_POOLS,
    description: 'The pool that is charged first; the scrape pool covers the rest.',
  })
  pool: CreditPool;
  @ApiProperty({ example: 'page', description: 'What is counted.' })
  unit: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What is free, cheaper or charged in addition.',
  })
  note: string | null;
}

/** Response of GET /v1/pricing. */
export class PricingView {
  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';
  @ApiProperty({ type: [PlanView], description: 'From the smallest to the largest.' })
  plans: readonly PlanView[];
  @ApiProperty({
    type: [EndpointPriceView],
    description:
      'Endpoints that cost credits; all others are free. A call that returns no data is free too.',
  })
  endpoints: readonly EndpointPriceView[];
}
