import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that are rotated and watched, agreements that replace a plan's figures, self-serve keys with
 * their threshold per address, and the log of what operators do. That log is only ever added to.
 */
export class Accounts1732180000018 implements MigrationInterface {
  name = 'Accounts1732180000018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
ALTER TABLE api_keys
  ADD COLUMN last_used_at timestamptz,
  -- Refused from this instant on: the end of the overlap after a rotation.
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN origin text NOT NULL DEFAULT 'admin'
    CONSTRAINT api_keys_origin CHECK (origin IN ('first', 'provisioned', 'account', 'admin')),
  -- The key it was last rotated to. No foreign key: that one may be forgotten before this one.
  ADD COLUMN replaced_by uuid;
UPDATE api_keys SET origin = 'first'
  WHERE id = (SELECT id FROM api_keys WHERE label = 'first key' ORDER BY created_at LIMIT 1);
CREATE INDEX api_keys_tenant ON api_keys (tenant_id, created_at DESC, id DESC);

ALTER TABLE tenants
  ADD COLUMN email text,
  -- Null: what the plan grants.
  ADD COLUMN agreed_monthly_credits integer
    CONSTRAINT tenants_agreed_monthly_credits CHECK (agreed_monthly_credits >= 0),
  ADD COLUMN agreed_requests_per_minute integer
    CONSTRAINT tenants_agreed_requests_per_minute CHECK (agreed_requests_per_minute > 0);

CREATE TABLE key_provisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Who asked: an IPv4 address, or the /64 of an IPv6 one. Swept when it no longer counts.
  network cidr NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX key_provisions_network ON key_provisions (network, created_at DESC);
CREATE INDEX key_provisions_age ON key_provisions (created_at);

CREATE TABLE admin_acts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  act text NOT NULL,
  -- No foreign key: what was done to a tenant outlives it.
  tenant_id uuid,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX admin_acts_tenant ON admin_acts (tenant_id, id DESC);
CREATE FUNCTION admin_acts_keep() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'admin_acts is only added to'; END $$;
CREATE TRIGGER admin_acts_keep BEFORE UPDATE OR DELETE ON admin_acts
  FOR EACH ROW EXECUTE FUNCTION admin_acts_keep();
`;

const DOWN = `
DROP TABLE admin_acts;
DROP FUNCTION admin_acts_keep;
DROP TABLE key_provisions;
ALTER TABLE tenants DROP COLUMN email, DROP COLUMN agreed_monthly_credits, DROP COLUMN agreed_requests_per_minute;
DROP INDEX api_keys_tenant;
ALTER TABLE api_keys DROP COLUMN last_used_at, DROP COLUMN expires_at, DROP COLUMN origin, DROP COLUMN replaced_by;
`;
