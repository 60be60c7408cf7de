/**
 * Admits as many of `p_wanted` requests as keep to `p_limit` within any 60 seconds. The row of the window is
 * locked first and the clock read after it, so that instants never run backwards within a ring; each statement of
 * the function sees what the caller before it has written. A refusal writes nothing. `p_now` is for specs.
 */
const TAKE_REQUESTS = `
CREATE FUNCTION take_requests(
  p_tenant_id uuid, p_kind text, p_limit integer, p_wanted integer, p_now timestamptz,
  OUT admitted integer, OUT remaining integer, OUT wait_ms integer
) LANGUAGE plpgsql
-- A plan made while the tables were small would be kept when they are not.
SET enable_seqscan = off
AS $body$
DECLARE
  c_span CONSTANT interval := interval '60 seconds';
  w rate_windows%ROWTYPE;
  v_now timestamptz;
  v_at timestamptz;
  v_live bigint;
  v_probe bigint;
  v_step bigint := 1;
  v_bisects boolean := false;
BEGIN
  LOOP
    SELECT * INTO w FROM rate_windows WHERE tenant_id = p_tenant_id AND kind = p_kind FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_windows (tenant_id, kind) VALUES (p_tenant_id, p_kind)
    ON CONFLICT (tenant_id, kind) DO NOTHING;
  END LOOP;
  v_now := coalesce(p_now, clock_timestamp());
  IF w.last_at > v_now + c_span THEN
    -- The clock was set back by more than a window; waiting until it is there again could take hours.
    w.tail := w.head;
  ELSE
    v_now := greatest(v_now, w.last_at);
  END IF;
  IF w.last_at <= v_now - c_span THEN
    w.tail := w.head;
  END IF;

  -- The first that still counts is between tail and v_live: in growing steps, then by halves.
  v_live := w.head;
  WHILE w.tail < v_live LOOP
    v_probe := least(w.tail + v_step, v_live) - 1;
    SELECT at INTO v_at FROM rate_slots
    WHERE window_id = w.id AND slot = (v_probe & (w.ring - 1))::integer;
    IF v_at > v_now - c_span THEN
      v_live := v_probe;
      v_bisects := true;
    ELSE
      w.tail := v_probe + 1;
    END IF;
    v_step := CASE WHEN v_bisects THEN (v_live - w.tail + 1) / 2 ELSE v_step * 2 END;
  END LOOP;
  IF w.tail = w.head THEN
    -- Who sends little uses the same few slots again.
    w.tail := 0;
    w.head := 0;
  END IF;

  admitted := least(p_wanted, greatest(p_limit - (w.head - w.tail), 0));
  remaining := greatest(p_limit - (w.head - w.tail) - admitted, 0);
  wait_ms := 0;
  IF admitted < p_wanted THEN
    -- Until the one leaves that makes room; those of this call came just now.
    v_at := v_now;
    IF p_limit > admitted THEN
      SELECT at INTO v_at FROM rate_slots
      WHERE window_id = w.id AND slot = ((w.head + admitted - p_limit) & (w.ring - 1))::integer;
    END IF;
    wait_ms := ceil(extract(epoch FROM v_at + c_span - v_now) * 1000);
  END IF;
  IF admitted = 0 THEN
    RETURN;
  END IF;

  WHILE w.head - w.tail + admitted > w.ring LOOP
    -- Of a ring of twice the size half stand where they stood.
    INSERT INTO rate_slots (window_id, slot, at)
    SELECT window_id, slot + w.ring, at FROM rate_slots
    WHERE window_id = w.id AND slot < w.ring
      AND w.tail + ((slot - w.tail) & (w.ring - 1)) < w.head
      AND (w.tail + ((slot - w.tail) & (w.ring - 1))) & w.ring <> 0
    ON CONFLICT (window_id, slot) DO UPDATE SET at = excluded.at;
    w.ring := w.ring * 2;
  END LOOP;
  INSERT INTO rate_slots (window_id, slot, at)
  SELECT w.id, (n & (w.ring - 1))::integer, v_now
  FROM generate_series(w.head, w.head + admitted - 1) AS n
  ON CONFLICT (window_id, slot) DO UPDATE SET at = excluded.at;
  UPDATE rate_windows
  SET head = w.head + admitted, tail = w.tail, ring = w.ring, last_at = v_now
  WHERE tenant_id = p_tenant_id AND kind = p_kind;
END
$body$;
`;

/**
 * The slot of a call, or null when `p_limit` are taken. One caller of a tenant at a time, so the count is exact even
 * where a plan was lowered. A repeated call keeps its slot.
 */
const TAKE_CALL_SLOT = `
CREATE FUNCTION take_call_slot(
  p_tenant_id uuid, p_call_id uuid, p_limit integer, p_lease interval, p_now timestamptz,
  OUT taken integer
) LANGUAGE plpgsql
SET enable_seqscan = off
AS $body$
DECLARE
  v_now timestamptz;
  v_own integer;
  v_held bigint;
  v_free integer;
  v_next integer;
BEGIN
  PERFORM pg_advisory_xact_lock(726177420, hashtext(p_tenant_id::text));
  v_now := coalesce(p_now, clock_timestamp());
  SELECT min(slot) FILTER (WHERE call_id = p_call_id AND until > v_now),
         count(*) FILTER (WHERE until > v_now),
         min(slot) FILTER (WHERE until <= v_now),
         coalesce(max(slot) + 1, 0)
  INTO v_own, v_held, v_free, v_next
  FROM call_slots WHERE tenant_id = p_tenant_id;
  IF v_own IS NULL AND v_held >= p_limit THEN
    RETURN;
  END IF;
  taken := coalesce(v_own, v_free, v_next);
  INSERT INTO call_slots (tenant_id, slot, call_id, until)
  VALUES (p_tenant_id, taken, p_call_id, v_now + p_lease)
  ON CONFLICT (tenant_id, slot) DO UPDATE SET call_id = excluded.call_id, until = excluded.until;
END
$body$;
`;

/**
 * Finds the tenants of keys and counts requests in their windows, many of them in one round trip. Question n is the
 * nth element of each array: `p_wanted` requests by the key with prefix `p_lookups` and hash `p_hashes`, in the
 * window `p_kinds`, whose limit is at least `p_floors` a minute. A key that is unknown, revoked or expired returns no
 * row; one with another hash counts in no window, and its `admitted` is null.
 *
 * Windows are locked in one order, so that statements of several processes never deadlock. `p_plan_limits`: requests
 * a minute by plan.
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

/** Functions of the request limits, in the order in which they call each other. */
export const LIMIT_FUNCTIONS = [TAKE_REQUESTS, TAKE_CALL_SLOT, ADMIT_REQUESTS].join('');
