import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '@app/contracts';

@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tenants_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('text', { nullable: true })
  email: string | null;

  /** Null: what the plan grants. */
  @Column('integer', { name: 'agreed_monthly_credits', nullable: true })
  agreedMonthlyCredits: number | null;

  /** Null: what the plan allows. */
  @Column('integer', { name: 'agreed_requests_per_minute', nullable: true })
  agreedRequestsPerMinute: number | null;

  /** Null: what the plan allows. */
  @Column('integer', { name: 'agreed_concurrent_requests', nullable: true })
  agreedConcurrentRequests: number | null;
}
