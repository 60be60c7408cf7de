import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '@app/contracts';

/** Figures of an agreement that replace the plan's; null: the plan's figure. */
export class AgreedColumns {
  @Column('integer', { name: 'agreed_monthly_credits', nullable: true })
  monthlyCredits: number | null;

  @Column('integer', { name: 'agreed_requests_per_minute', nullable: true })
  requestsPerMinute: number | null;

  /** Calls that are answered at a time. */
  @Column('integer', { name: 'agreed_concurrent_requests', nullable: true })
  concurrentRequests: number | null;
}

/** A tenant as an operator sees it. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  /** Unverified, and several tenants may have the same. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** The maps scraper returns live rows on the Free plan, too. */
  @Column('boolean', { name: 'has_live_maps', default: false })
  hasLiveMaps: boolean;

  @Column(() => AgreedColumns, { prefix: false })
  agreed: AgreedColumns;
}
