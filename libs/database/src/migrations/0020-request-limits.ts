import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who may send how much: the requests of the last minute, and the calls that are being answered. Unlogged,
 * as nothing here is worth more than a minute: a crash of the database empties the windows and the slots,
 * and no request waits for a disk. Only keys are indexed, so that the updates of a busy tenant stay within
 * their pages.
 */
export class RequestLimits1732180000020 implements MigrationInterface {
  name = 'RequestLimits1732180000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WINDOWS);
    await runner.query(TAKE_REQUESTS);
    await runner.query(CALL_SLOTS);
    await runner.query(TAKE_CALL_SLOT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION take_call_slot;
      DROP TABLE call_slots;
      DROP FUNCTION take_requests;
      DROP TABLE rate_slots, rate_windows`);
  }
}

/**
 * Request number n of a window stands in slot n modulo `ring` (a power of two) from `tail`, the first that
 * may still count, up to `head`, the number of the next. A ring grows when it is full, whatever the limit:
 * a plan that changes changes nothing here.
 */
const WINDOWS = `
SET LOCAL statement_timeout = 0;
CREATE UNLOGGED TABLE rate_windows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  tail bigint NOT NULL DEFAULT 0,
  ring integer NOT NULL DEFAULT 16,
  -- Of the last request that was let through.
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  CONSTRAINT rate_windows_one UNIQUE (tenant_id, kind),
  CONSTRAINT rate_windows_fits CHECK (tail <= head AND head - tail <= ring)
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE rate_slots (
  window_id bigint NOT NULL REFERENCES rate_windows (id) ON DELETE CASCADE,
  slot integer NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (window_id, slot)
) WITH (fillfactor = 70);
`;

/**
 * Lets through as many of `p_wanted` requests as leave no more than `p_limit` within any 60 seconds.
 * The row of the window is locked first and the clock read after it, so that instants never run backwards
 * within a ring; each statement of the function sees what the one before it in line has written.
 * A refusal writes nothing. `p_now` is for specs.
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
 * A slot is held until `until` by the call it names. Free slots are used again, so there are as many rows
 * as calls were ever answered at once.
 */
const CALL_SLOTS = `
CREATE UNLOGGED TABLE call_slots (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  slot integer NOT NULL CHECK (slot >= 0),
  call_id uuid NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, slot)
) WITH (fillfactor = 50);
`;

/**
 * The slot given to a call, or null when `p_limit` are held. One caller of a tenant at a time, so the
 * count is exact also where a plan was lowered. A call that asks again keeps its slot.
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
