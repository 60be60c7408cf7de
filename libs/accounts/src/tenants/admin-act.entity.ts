import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One entry of the log of what operators do. */
@Entity('admin_acts')
export class AdminActEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  actor: string;

  /** Such as `plan.set`. */
  @Column('text')
  act: string;

  @Column('uuid', { name: 'tenant_id', nullable: true })
  tenantId: string | null;

  @Column('jsonb', { default: {} })
  details: Readonly<Record<string, unknown>>;
}
