import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits as double entry. One row of `credit_transfers` or of `credit_ledger` moves credits of one
 * tenant from one account to another, so the books balance by their shape; both are only added to. The
 * accounts: `issued` (the source), `grant` and `overage` of a period, `topup`, `held` and `spent`.
 * `credit_ledger` is spending: out of what was held, or straight from the source where nothing bounds a
 * tenant and for what was spent before there were holds.
 *
 * `credit_balances` is what the transfers amount to, one row per tenant, which is locked to take credits.
 * `credit_periods` is one month of a tenant: its grant once, and how the month was left. `credit_holds`
 * has what is held just now and nothing else; a hold that is closed is gone.
 *
 * Columns with constant defaults rewrite nothing.
 */
export class Credits1732180000019 implements MigrationInterface {
  name = 'Credits1732180000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW credit_entries;
      DROP TABLE credit_transfers, credit_holds, credit_periods, credit_balances;
      ALTER TABLE jobs DROP COLUMN credits_held;
      ALTER TABLE credit_ledger DROP COLUMN from_hold`);
  }
}

/**
 * Holds and transfers have no foreign key to the tenant: each is written with the tenant's balance row,
 * which has one, and a key would lock the tenant's row once more for every call.
 */
const UP = `
SET LOCAL statement_timeout = 0;
ALTER TABLE credit_ledger ADD COLUMN from_hold boolean NOT NULL DEFAULT false;
-- What was held for a job when it was made; null: its pages are spent from the source.
ALTER TABLE jobs ADD COLUMN credits_held integer CHECK (credits_held > 0);

CREATE TABLE credit_balances (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  -- Whose grant and overage these are, as YYYY-MM (UTC); 0000-00 before the first.
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  grant_left bigint NOT NULL DEFAULT 0 CHECK (grant_left >= 0),
  topup_left bigint NOT NULL DEFAULT 0 CHECK (topup_left >= 0),
  overage_used bigint NOT NULL DEFAULT 0 CHECK (overage_used >= 0),
  -- Of the plan; without it a month is not granted and nothing is spent beyond what is prepaid.
  payment text NOT NULL DEFAULT 'confirmed' CHECK (payment IN ('confirmed', 'pending', 'failed')),
  reconciling_since timestamptz,
  checked_at timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX credit_balances_checked ON credit_balances (checked_at);

CREATE TABLE credit_periods (
  tenant_id uuid NOT NULL REFERENCES credit_balances (tenant_id) ON DELETE CASCADE,
  period text NOT NULL,
  -- Null: withheld until the payment is confirmed.
  granted bigint CHECK (granted >= 0),
  -- When it was over: what was left of the grant and expired, and what is to be billed.
  grant_left bigint CHECK (grant_left >= 0),
  overage_used bigint CHECK (overage_used >= 0),
  closed_at timestamptz,
  -- What the two above differ by from the transfers; null: not compared yet.
  drift bigint,
  PRIMARY KEY (tenant_id, period)
);
CREATE INDEX credit_periods_unchecked ON credit_periods (closed_at) WHERE closed_at IS NOT NULL AND drift IS NULL;
CREATE INDEX credit_periods_drift ON credit_periods (tenant_id) WHERE drift <> 0;

CREATE TABLE credit_holds (
  -- The call's reference, or the job.
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  operation text NOT NULL,
  period text NOT NULL,
  from_grant bigint NOT NULL CHECK (from_grant >= 0),
  from_topup bigint NOT NULL CHECK (from_topup >= 0),
  from_overage bigint NOT NULL CHECK (from_overage >= 0),
  opened_at timestamptz NOT NULL,
  -- Null: as long as its job runs.
  expires_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX credit_holds_tenant ON credit_holds (tenant_id, period);
CREATE INDEX credit_holds_expiry ON credit_holds (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE credit_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY,
  tenant_id uuid NOT NULL,
  -- Of the grant or the overage that moved; of a top-up, the month it came or was taken in.
  period text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  credits bigint NOT NULL CHECK (credits > 0),
  -- The hold, or what the credits were given for.
  reference uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (reference, id),
  CONSTRAINT credit_transfers_accounts CHECK (
    (from_account = 'issued' AND to_account IN ('grant', 'topup'))
    OR (from_account IN ('grant', 'topup', 'overage') AND to_account = 'held')
    OR (from_account = 'held' AND to_account IN ('grant', 'topup', 'overage')))
);
CREATE INDEX credit_transfers_period ON credit_transfers (tenant_id, period);
CREATE INDEX credit_transfers_topups ON credit_transfers (tenant_id) WHERE 'topup' IN (from_account, to_account);
CREATE UNIQUE INDEX credit_transfers_topup_once ON credit_transfers (reference)
  WHERE from_account = 'issued' AND to_account = 'topup';

-- Every movement, with the accounts spelled out.
CREATE VIEW credit_entries AS
  SELECT tenant_id, CASE WHEN from_account IN ('grant', 'overage') THEN from_account || ':' || period ELSE from_account END AS from_account,
         CASE WHEN to_account IN ('grant', 'overage') THEN to_account || ':' || period ELSE to_account END AS to_account,
         credits, reference, created_at
  FROM credit_transfers
  UNION ALL
  SELECT tenant_id, CASE WHEN from_hold THEN 'held' ELSE 'issued' END, 'spent', credits, reference, created_at
  FROM credit_ledger WHERE credits > 0;
`;
