import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link that was sent to sign in by. */
@Entity('sign_in_links')
export class SignInLinkEntity {
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** SHA-256 of the token of the browser that asked for it; null: any browser may use it. */
  @Column('bytea', { name: 'browser_hash', nullable: true })
  browserHash: Buffer | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
