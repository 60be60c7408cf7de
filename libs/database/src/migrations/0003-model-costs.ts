import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What models cost a call, beside its credits. A constant default rewrites nothing, and a constraint
 * that is not validated scans nothing: the ledger is locked for a moment however long it is.
 */
export class ModelCosts1732180000003 implements MigrationInterface {
  name = 'ModelCosts1732180000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credit_ledger DROP COLUMN cost_micro_usd');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
ALTER TABLE credit_ledger
  ADD COLUMN cost_micro_usd bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT credit_ledger_cost CHECK (cost_micro_usd >= 0) NOT VALID;
`;
