import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who pays: the customer a tenant is at the payment provider and what its subscription was when it was
 * last read, and the events the provider sent. Of an event only what says whose state to read is kept,
 * never what it tells about a person.
 */
export class Billing1732180000021 implements MigrationInterface {
  name = 'Billing1732180000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_events, billing_accounts');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE billing_accounts (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  provider text NOT NULL,
  customer_id text,
  -- Under this key the customer is made: one whose making was never told the end of is made once.
  claim_id uuid NOT NULL,
  subscription_id text,
  subscription_state text,
  -- What the last reading entitles to; null as long as nothing was read.
  plan text,
  -- How its payment stood then.
  payment text,
  period_end timestamptz,
  ends_at timestamptz,
  -- Readings begun, and the newest that was written: one that was begun before it changes nothing.
  reads_begun bigint NOT NULL DEFAULT 0,
  read_written bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  CONSTRAINT billing_accounts_customer UNIQUE (provider, customer_id)
);

CREATE TABLE payment_events (
  provider text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  customer_id text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  received_at timestamptz NOT NULL DEFAULT now(),
  next_at timestamptz DEFAULT now(),
  applied_at timestamptz,
  error text,
  PRIMARY KEY (provider, id),
  CONSTRAINT payment_events_state CHECK (state IN ('pending', 'applied', 'ignored', 'failed')),
  CONSTRAINT payment_events_due CHECK ((state = 'pending') = (next_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX payment_events_pending ON payment_events (provider, next_at) WHERE state = 'pending';
CREATE INDEX payment_events_customer ON payment_events (provider, customer_id) WHERE state = 'pending';
CREATE INDEX payment_events_received ON payment_events (received_at);
`;
