import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many calls of a tenant are answered at a time, where that was agreed with it, and the one statement
 * by which requests with a key are let in.
 */
export class Admission1732180000024 implements MigrationInterface {
  name = 'Admission1732180000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(AGREED);
    await runner.query(ADMIT_REQUESTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION admit_requests;
      ALTER TABLE tenants DROP COLUMN agreed_concurrent_requests`);
  }
}

const AGREED = `
ALTER TABLE tenants
  -- Null: what the plan allows.
  ADD COLUMN agreed_concurrent_requests integer
    CONSTRAINT tenants_agreed_concurrent_requests CHECK (agreed_concurrent_requests > 0);
`;

/**
 * Finds the tenants of keys and counts requests in their windows, many of them in one round trip. Question
 * n is the nth of each array: `p_wanted` requests by the key whose row is `p_lookups` and whose hash is
 * `p_hashes`, in the window `p_kinds`, which takes `p_floors` a minute at least. A key that is unknown, revoked
 * or at its end gives no row; with another hash than its own it counts nowhere, and `admitted` is null.
 *
 * Windows are locked in one order whoever asks, so that statements of several processes never wait for
 * each other in a circle. `p_plan_limits`: requests a minute by plan.
 */
const ADMIT_REQUESTS = `
CREATE FUNCTION admit_requests(
  p_lookups text[], p_hashes bytea[], p_kinds text[], p_floors integer[], p_wanted integer[],
  p_plan_limits jsonb
) RETURNS TABLE (
  question integer, tenant_id uuid, plan text, key_id uuid, secret_hash bytea,
  monthly_credits integer, requests_per_minute integer, concurrent_requests integer,
  is_use_due boolean, window_limit integer, admitted integer, remaining integer
) LANGUAGE plpgsql
-- A plan made while the tables were small would be kept when they are not.
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $body$
DECLARE
  v_hash bytea;
  v_kind text;
  v_floor integer;
  v_wanted integer;
  v_taken record;
BEGIN
  FOR question, tenant_id, plan, key_id, secret_hash, monthly_credits, requests_per_minute,
      concurrent_requests, is_use_due, v_hash, v_kind, v_floor, v_wanted IN
    SELECT q.n::integer, t.id, t.plan, k.id, k.secret_hash, t.agreed_monthly_credits,
           t.agreed_requests_per_minute, t.agreed_concurrent_requests,
           k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute',
           q.hash, q.kind, q.floor, q.wanted
    FROM unnest(p_lookups, p_hashes, p_kinds, p_floors, p_wanted) WITH ORDINALITY
           AS q (lookup, hash, kind, floor, wanted, n)
    JOIN api_keys AS k ON k.prefix = q.lookup
    JOIN tenants AS t ON t.id = k.tenant_id
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    ORDER BY t.id, q.kind, q.n
  LOOP
    window_limit := NULL;
    admitted := NULL;
    remaining := NULL;
    IF secret_hash = v_hash THEN
      window_limit := greatest(v_floor, coalesce(requests_per_minute, (p_plan_limits ->> plan)::integer));
      v_taken := take_requests(tenant_id, v_kind, window_limit, v_wanted, NULL);
      admitted := v_taken.admitted;
      remaining := v_taken.remaining;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$body$;
`;
