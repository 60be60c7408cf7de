import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Spending summed up by tenant, day and operation, so that nobody who asks for a month reads a month.
 * `credit_usage_mark` is one row: what was spent before its moment is in the sums, what was spent later is
 * read from the ledger. It begins before all time; the first round of the roll-up sums up what is there.
 */
export class UsageDays1732180000023 implements MigrationInterface {
  name = 'UsageDays1732180000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE credit_usage_mark, credit_usage_days');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE credit_usage_days (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- Of UTC.
  day date NOT NULL,
  operation text NOT NULL,
  credits bigint NOT NULL,
  -- Rows of the ledger that cost something.
  calls bigint NOT NULL,
  cost_micro_usd bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, operation)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE credit_usage_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  summed_until timestamptz NOT NULL,
  -- Every row of the ledger that is as late as summed_until has a larger id.
  floor_id bigint NOT NULL,
  -- The largest id that the last round saw, and when: no row of then or before has a later one.
  seen_id bigint NOT NULL,
  seen_at timestamptz NOT NULL
);
INSERT INTO credit_usage_mark (summed_until, floor_id, seen_id, seen_at) VALUES ('-infinity', 0, 0, '-infinity');
`;
