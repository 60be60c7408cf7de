import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key is stored as a hash; `prefix` finds the row and reveals nothing of the secret. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Index('api_keys_prefix', { unique: true })
  @Column('text')
  prefix: string;

  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  @Column('text')
  label: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
