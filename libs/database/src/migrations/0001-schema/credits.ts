/**
 * Credits as double entry. One row of `credit_transfers` or of `credit_ledger` moves credits of one tenant from
 * one account to another, so the accounts balance by their structure; both are append-only. The accounts: `issued` (the
 * source), `grant` and `overage` of a period, `topup`, `held` and `spent`. The enrich and the KYB pool have a grant
 * and top-ups of their own; without a pool's name, accounts belong to the scrape pool, which alone has overage.
 * `credit_ledger` is spending: from what was reserved, or straight from the source for tenants without a limit.
 *
 * `credit_balances` is the sum of the transfers, one row per tenant, which is locked to take credits.
 * `credit_periods` is one month of a tenant: its grant, written once, and what was left at the end.
 * `credit_holds` has the reservations that are open now (in SQL `hold` and `held`, in code `reserve`); a row is deleted
 * when it is settled or released.
 *
 * Holds and transfers have no foreign key to the tenant: each is written together with the tenant's balance row,
 * which has one, and a key would lock the tenant's row once more for every call.
 */
export const CREDITS = `
CREATE TABLE credit_ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  operation text NOT NULL,
  reference uuid NOT NULL,
  item uuid NOT NULL,
  credits integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- What models cost, beside the credits.
  cost_micro_usd bigint NOT NULL DEFAULT 0
    CONSTRAINT credit_ledger_cost CHECK (cost_micro_usd >= 0),
  from_hold boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX credit_ledger_once ON credit_ledger (reference, item);
CREATE INDEX credit_ledger_tenant ON credit_ledger (tenant_id, created_at);

CREATE TABLE credit_balances (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  -- The month of the grant and the overage, as YYYY-MM (UTC); 0000-00 before the first.
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  grant_left bigint NOT NULL DEFAULT 0 CHECK (grant_left >= 0),
  topup_left bigint NOT NULL DEFAULT 0 CHECK (topup_left >= 0),
  overage_used bigint NOT NULL DEFAULT 0 CHECK (overage_used >= 0),
  -- Of the plan; unless it is confirmed, no month is granted and only prepaid credits are spent.
  payment text NOT NULL DEFAULT 'confirmed' CHECK (payment IN ('confirmed', 'pending', 'failed')),
  reconciling_since timestamptz,
  checked_at timestamptz NOT NULL DEFAULT '-infinity',
  enrich_grant_left bigint NOT NULL DEFAULT 0,
  enrich_topup_left bigint NOT NULL DEFAULT 0,
  kyb_grant_left bigint NOT NULL DEFAULT 0,
  kyb_topup_left bigint NOT NULL DEFAULT 0,
  CONSTRAINT credit_balances_pools CHECK (
    least(enrich_grant_left, enrich_topup_left, kyb_grant_left, kyb_topup_left) >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX credit_balances_checked ON credit_balances (checked_at);

CREATE TABLE credit_periods (
  tenant_id uuid NOT NULL REFERENCES credit_balances (tenant_id) ON DELETE CASCADE,
  period text NOT NULL,
  -- Null: withheld until the payment is confirmed.
  granted bigint CHECK (granted >= 0),
  -- At the end of the month: the rest of the grant, which expired, and the overage to be billed.
  grant_left bigint CHECK (grant_left >= 0),
  overage_used bigint CHECK (overage_used >= 0),
  closed_at timestamptz,
  -- How far the two above differ from the transfers; null: not compared yet.
  drift bigint,
  -- 0 while the grant is withheld.
  enrich_granted bigint NOT NULL DEFAULT 0,
  kyb_granted bigint NOT NULL DEFAULT 0,
  enrich_grant_left bigint NOT NULL DEFAULT 0,
  kyb_grant_left bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, period),
  CONSTRAINT credit_periods_pools CHECK (
    least(enrich_granted, kyb_granted, enrich_grant_left, kyb_grant_left) >= 0)
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
  -- Null: open as long as its job runs.
  expires_at timestamptz,
  from_enrich_grant bigint NOT NULL DEFAULT 0,
  from_enrich_topup bigint NOT NULL DEFAULT 0,
  CONSTRAINT credit_holds_pools CHECK (least(from_enrich_grant, from_enrich_topup) >= 0)
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX credit_holds_tenant ON credit_holds (tenant_id, period);
CREATE INDEX credit_holds_expiry ON credit_holds (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE credit_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY,
  tenant_id uuid NOT NULL,
  -- Of the grant or the overage; of a top-up, the month in which it moved.
  period text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  credits bigint NOT NULL CHECK (credits > 0),
  -- The hold, or the reason of the grant or top-up.
  reference uuid NOT NULL,
  created_at timestamptz NOT NULL,
  pool text NOT NULL DEFAULT 'scrape',
  PRIMARY KEY (reference, id),
  CONSTRAINT credit_transfers_accounts CHECK (
    (from_account = 'issued' AND to_account IN ('grant', 'topup'))
    OR (from_account IN ('grant', 'topup', 'overage') AND to_account = 'held')
    OR (from_account = 'held' AND to_account IN ('grant', 'topup', 'overage'))),
  CONSTRAINT credit_transfers_pool CHECK (
    pool = 'scrape' OR (pool IN ('enrich', 'kyb') AND 'overage' NOT IN (from_account, to_account)))
);
CREATE INDEX credit_transfers_period ON credit_transfers (tenant_id, period);
CREATE INDEX credit_transfers_topups ON credit_transfers (tenant_id) WHERE 'topup' IN (from_account, to_account);
CREATE UNIQUE INDEX credit_transfers_topup_once ON credit_transfers (reference)
  WHERE from_account = 'issued' AND to_account = 'topup';

-- Every movement, with the accounts spelled out.
CREATE VIEW credit_entries AS
  SELECT tenant_id, ${accountName('from_account')} AS from_account, ${accountName('to_account')} AS to_account,
         credits, reference, created_at
  FROM credit_transfers
  UNION ALL
  SELECT tenant_id, CASE WHEN from_hold THEN 'held' ELSE 'issued' END, 'spent', credits, reference, created_at
  FROM credit_ledger WHERE credits > 0;

-- Spending summed by tenant, day and operation, so that a report of a month does not read a month of the ledger.
CREATE TABLE credit_usage_days (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- UTC.
  day date NOT NULL,
  operation text NOT NULL,
  credits bigint NOT NULL,
  -- Rows of the ledger that cost something.
  calls bigint NOT NULL,
  cost_micro_usd bigint NOT NULL,
  -- Those of them in which a model took part.
  extractions bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, day, operation)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- One row: spending before its moment is in the sums, later spending is read from the ledger.
CREATE TABLE credit_usage_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  summed_until timestamptz NOT NULL,
  -- Every row of the ledger that is as late as summed_until has a larger id.
  floor_id bigint NOT NULL,
  -- The largest id the last round saw, and when: no row of that time or earlier has a larger one.
  seen_id bigint NOT NULL,
  seen_at timestamptz NOT NULL
);
INSERT INTO credit_usage_mark (summed_until, floor_id, seen_id, seen_at) VALUES ('-infinity', 0, 0, '-infinity');
`;

/** SQL: an account with its pool before it and its period after it, where it has one. */
function accountName(account: string): string {
  return `CASE WHEN pool <> 'scrape' AND ${account} IN ('grant', 'topup') THEN pool || ' ' ELSE '' END
         || CASE WHEN ${account} IN ('grant', 'overage') THEN ${account} || ':' || period ELSE ${account} END`;
}
