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
}
