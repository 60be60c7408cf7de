import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments that calls without a key were paid with, each of them once in all replicas; and when a billing
 * account is read again though nobody told of news.
 */
export class PayPerCall1732180000025 implements MigrationInterface {
  name = 'PayPerCall1732180000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYMENTS);
    await runner.query(REREADS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE billing_accounts DROP COLUMN reread_at;
      DROP TABLE pay_per_call_payments`);
  }
}

const PAYMENTS = `
SET LOCAL statement_timeout = 0;
CREATE TABLE pay_per_call_payments (
  -- SHA-256 of what makes the payment spendable once: see PaymentClaim.
  id bytea PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  amount numeric(78, 0) NOT NULL,
  operation text NOT NULL,
  state text NOT NULL DEFAULT 'claimed',
  payer text,
  -- Of the settlement, on the network.
  transaction_id text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  state_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pay_per_call_payments_state
    CHECK (state IN ('claimed', 'settling', 'settled', 'failed', 'unknown')),
  CONSTRAINT pay_per_call_payments_settled CHECK (state <> 'settled' OR transaction_id IS NOT NULL),
  -- One transfer pays for one call, however the payment was written.
  CONSTRAINT pay_per_call_payments_transaction UNIQUE (network, transaction_id)
);
CREATE INDEX pay_per_call_payments_open ON pay_per_call_payments (state_at)
  WHERE state IN ('claimed', 'settling');
CREATE INDEX pay_per_call_payments_created ON pay_per_call_payments (created_at);
`;

const REREADS = `
ALTER TABLE billing_accounts ADD COLUMN reread_at timestamptz NOT NULL DEFAULT now() + interval '1 day';
CREATE INDEX billing_accounts_reread ON billing_accounts (provider, reread_at)
  WHERE customer_id IS NOT NULL;
`;
