import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests that carry an Idempotency-Key: who works on one, and what it was answered. A row without
 * `lease_until` is answered. The blobs of large answers are noted in `page_cache_waste` before they
 * are written, due when their key has expired.
 */
export class Idempotency1732180000006 implements MigrationInterface {
  name = 'Idempotency1732180000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  id uuid NOT NULL,
  fingerprint bytea CHECK (length(fingerprint) = 32),
  owner uuid,
  lease_until timestamptz,
  status smallint,
  headers jsonb,
  body bytea,
  blob_key text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT idempotency_keys_answer CHECK ((lease_until IS NULL) = (status IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
`;
