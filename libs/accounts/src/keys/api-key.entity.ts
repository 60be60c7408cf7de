import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { KeyOrigin } from './api-key.js';

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

  /** To the minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('text', { default: 'admin' })
  origin: KeyOrigin;

  /** The key it was last rotated to. */
  @Column('uuid', { name: 'replaced_by', nullable: true })
  replacedBy: string | null;
}
