import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '@app/contracts';

/** What a tenant is at the payment provider. */
@Entity('billing_accounts')
export class BillingAccountEntity {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('text')
  provider: string;

  /** Null until the provider made one. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  /** Under this key the customer is made. */
  @Column('uuid', { name: 'claim_id' })
  claimId: string;

  /** As of the last reading; null without one that lives. */
  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId: string | null;

  @Column('text', { name: 'subscription_state', nullable: true })
  subscriptionState: string | null;

  /** What the last reading entitles to; null as long as nothing was read. */
  @Column('text', { nullable: true })
  plan: Plan | null;

  @Column('timestamptz', { name: 'period_end', nullable: true })
  periodEnd: Date | null;

  /** When the subscription ends by itself; null: it renews. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt: Date | null;
}
