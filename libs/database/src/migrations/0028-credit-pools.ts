import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits of three pools. `grant`, `topup` and `overage` of 0019 are those of the scrape pool; the enrich and the
 * KYB pool have a grant and top-ups of their own. Every transfer names its pool, so what an operation reserved,
 * settled and released of each pool is the sum of its transfers.
 *
 * Columns with constant defaults rewrite nothing, and constraints that are not validated scan nothing. Tenants
 * whose month has begun get this month's grants of the new pools here; the others get them with their next month.
 */
export class CreditPools1732180000028 implements MigrationInterface {
  name = 'CreditPools1732180000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(entriesView(IN_POOL));
    await runner.query(GRANT_THIS_MONTH);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(entriesView(() => "''"));
    await runner.query(DOWN);
  }
}

const COLUMNS = `
SET LOCAL statement_timeout = 0;
ALTER TABLE credit_balances
  ADD COLUMN enrich_grant_left bigint NOT NULL DEFAULT 0,
  ADD COLUMN enrich_topup_left bigint NOT NULL DEFAULT 0,
  ADD COLUMN kyb_grant_left bigint NOT NULL DEFAULT 0,
  ADD COLUMN kyb_topup_left bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT credit_balances_pools CHECK (
    least(enrich_grant_left, enrich_topup_left, kyb_grant_left, kyb_topup_left) >= 0) NOT VALID;

ALTER TABLE credit_periods
  -- 0 while the grant is withheld.
  ADD COLUMN enrich_granted bigint NOT NULL DEFAULT 0,
  ADD COLUMN kyb_granted bigint NOT NULL DEFAULT 0,
  -- What was left and expired when the month was over.
  ADD COLUMN enrich_grant_left bigint NOT NULL DEFAULT 0,
  ADD COLUMN kyb_grant_left bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT credit_periods_pools CHECK (
    least(enrich_granted, kyb_granted, enrich_grant_left, kyb_grant_left) >= 0) NOT VALID;

ALTER TABLE credit_holds
  ADD COLUMN from_enrich_grant bigint NOT NULL DEFAULT 0,
  ADD COLUMN from_enrich_topup bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT credit_holds_pools CHECK (least(from_enrich_grant, from_enrich_topup) >= 0) NOT VALID;

ALTER TABLE credit_transfers
  ADD COLUMN pool text NOT NULL DEFAULT 'scrape',
  -- Overage is of the scrape pool alone.
  ADD CONSTRAINT credit_transfers_pool CHECK (
    pool = 'scrape' OR (pool IN ('enrich', 'kyb') AND 'overage' NOT IN (from_account, to_account))) NOT VALID;
`;

/** SQL: the name of a pool before its accounts. Those of the scrape pool have none: they were there first. */
const IN_POOL = (account: string): string =>
  `CASE WHEN pool <> 'scrape' AND ${account} IN ('grant', 'topup') THEN pool || ' ' ELSE '' END`;

function entriesView(poolOf: (account: string) => string): string {
  const spelled = (account: string): string =>
    `${poolOf(account)} || CASE WHEN ${account} IN ('grant', 'overage') THEN ${account} || ':' || period ELSE ${account} END`;
  return `
CREATE OR REPLACE VIEW credit_entries AS
  SELECT tenant_id, ${spelled('from_account')} AS from_account, ${spelled('to_account')} AS to_account,
         credits, reference, created_at
  FROM credit_transfers
  UNION ALL
  SELECT tenant_id, CASE WHEN from_hold THEN 'held' ELSE 'issued' END, 'spent', credits, reference, created_at
  FROM credit_ledger WHERE credits > 0`;
}

/** What each plan grants when this is written; the custom plan grants nothing for these pools. */
const GRANT_THIS_MONTH = `
WITH plan (name, enrich, kyb) AS (
  VALUES ('free', 1000, 0), ('hobby', 5000, 500), ('pro', 100000, 5000), ('scale', 500000, 25000)
), due AS MATERIALIZED (
  SELECT b.tenant_id, b.period, plan.enrich, plan.kyb, gen_random_uuid() AS reference
  FROM credit_balances b JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
       JOIN tenants t ON t.id = b.tenant_id JOIN plan ON plan.name = t.plan
  WHERE b.period = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AND p.granted IS NOT NULL
), granted AS (
  UPDATE credit_periods p SET enrich_granted = d.enrich, kyb_granted = d.kyb
  FROM due d WHERE p.tenant_id = d.tenant_id AND p.period = d.period
), moved AS (
  INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
  SELECT d.tenant_id, d.period, part.pool, 'issued', 'grant', part.credits, d.reference, now()
  FROM due d, LATERAL (VALUES ('enrich', d.enrich), ('kyb', d.kyb)) part (pool, credits)
  WHERE part.credits > 0
)
UPDATE credit_balances b SET enrich_grant_left = d.enrich, kyb_grant_left = d.kyb
FROM due d WHERE b.tenant_id = d.tenant_id
`;

/** Merges the pools into the scrape pool, so that the books stay balanced. */
const DOWN = `
SET LOCAL statement_timeout = 0;
UPDATE credit_balances SET grant_left = grant_left + enrich_grant_left + kyb_grant_left,
  topup_left = topup_left + enrich_topup_left + kyb_topup_left;
UPDATE credit_periods SET granted = granted + enrich_granted + kyb_granted,
  grant_left = grant_left + enrich_grant_left + kyb_grant_left;
UPDATE credit_holds SET from_grant = from_grant + from_enrich_grant, from_topup = from_topup + from_enrich_topup;
ALTER TABLE credit_transfers DROP COLUMN pool;
ALTER TABLE credit_holds DROP COLUMN from_enrich_grant, DROP COLUMN from_enrich_topup;
ALTER TABLE credit_periods DROP COLUMN enrich_granted, DROP COLUMN kyb_granted,
  DROP COLUMN enrich_grant_left, DROP COLUMN kyb_grant_left;
ALTER TABLE credit_balances DROP COLUMN enrich_grant_left, DROP COLUMN enrich_topup_left,
  DROP COLUMN kyb_grant_left, DROP COLUMN kyb_topup_left;
`;
