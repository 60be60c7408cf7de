import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who is signed in to the account page. A session opened with a key has its id and ends with it. */
@Entity('account_sessions')
export class AccountSessionEntity {
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** Null: opened by mail. */
  @Column('uuid', { name: 'key_id', nullable: true })
  keyId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
