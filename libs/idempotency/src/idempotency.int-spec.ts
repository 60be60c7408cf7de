import { adHocStatement } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import {
  claimKey,
  completeClaim,
  confirmClaim,
  dropClaim,
  extendClaims,
  IDEMPOTENCY_HOURS,
  noteAnswerBlob,
  releaseClaim,
  sweepIdempotencyKeys,
  type ClaimOptions,
  type KeptAnswer,
  type KeyClaim,
} from './idempotency.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';

const LEASE_MS = 30_000;
const LIFE_MS = IDEMPOTENCY_HOURS * 3_600_000;
const BODY = Buffer.alloc(32, 1);
const OTHER_BODY = Buffer.alloc(32, 2);
const ANSWER: KeptAnswer = {
  status: 202,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"jobId":"j"}'),
};

describe('idempotency keys in SQL', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let nowMs: number;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    nowMs = Date.now();
  });

  const ask = (over: Partial<ClaimOptions> = {}) =>
    claimKey(database, {
      tenantId,
      key: 'k',
      fingerprint: BODY,
      leaseMs: LEASE_MS,
      now: new Date(nowMs),
      ...over,
    });
  const take = async (over: Partial<ClaimOptions> = {}): Promise<KeyClaim> => {
    const outcome = await ask(over);
    if (outcome.kind !== 'claimed') throw new Error(`not claimed: ${outcome.kind}`);
    return outcome.claim;
  };
  const rows = async () =>
    (await database.query({ name: 'rows', text: 'SELECT 1 FROM idempotency_keys' })).length;

  it('assigns the key to one of 50 concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => ask()));
    const kinds = outcomes.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['claimed', ...Array<string>(49).fill('running')]);
  });

  it('assigns an abandoned key to one of 50 concurrent requests, under the same id', async () => {
    const { id } = await take();
    nowMs += LEASE_MS;
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => ask()));
    const claims = outcomes.flatMap((one) => (one.kind === 'claimed' ? [one.claim] : []));
    expect(claims).toMatchObject([{ id, isFirst: false }]);
  });

  it('repeats the stored answer, for a day and not a moment longer', async () => {
    const claim = await take();
    expect(await completeClaim(database, claim, ANSWER)).toBe(true);
    nowMs += LIFE_MS - 1;
    expect(await ask()).toEqual({ kind: 'answered', fingerprint: BODY, answer: ANSWER });
    nowMs += 1;
    const again = await take();
    expect(again).toMatchObject({ isFirst: true });
    expect(again.id).not.toBe(claim.id);
  });

  it('does not expire while a request works on it', async () => {
    const claim = await take();
    await extendClaims(database, [claim], 2 * LIFE_MS);
    nowMs += LIFE_MS;
    expect(await ask()).toEqual({ kind: 'running' });
    expect(await sweepIdempotencyKeys(database, 10, new Date(nowMs))).toBe(0);
  });

  it.each(['running', 'answered', 'abandoned'])(
    'refuses another body while it is %s',
    async (state) => {
      const claim = await take();
      if (state === 'answered') await completeClaim(database, claim, ANSWER);
      if (state === 'abandoned') nowMs += LEASE_MS;
      expect(await ask({ fingerprint: OTHER_BODY })).toEqual({ kind: 'reused' });
    },
  );

  it('keeps keys of tenants apart', async () => {
    const other = await createTenant(database, 'other', 'custom');
    await completeClaim(database, await take(), ANSWER);
    expect(await ask({ tenantId: other.id })).toMatchObject({ kind: 'claimed' });
  });

  it('is held by a heartbeat, and lost without', async () => {
    const claim = await take({ now: undefined, leaseMs: 1 });
    await extendClaims(database, [claim], LEASE_MS);
    expect(await ask({ now: undefined })).toEqual({ kind: 'running' });
    await extendClaims(database, [claim], 0);
    const next = await take({ now: undefined });
    await extendClaims(database, [claim], 0);
    expect(await ask({ now: undefined })).toEqual({ kind: 'running' });
    expect(await completeClaim(database, claim, ANSWER)).toBe(false);
    expect(await completeClaim(database, next, ANSWER)).toBe(true);
  });

  it('is available, when released, to the same request alone; when dropped, to any', async () => {
    const first = await take();
    await releaseClaim(database, first);
    expect(await ask({ fingerprint: OTHER_BODY })).toEqual({ kind: 'reused' });
    const second = await take();
    expect(second.id).toBe(first.id);
    // An earlier try may have started work, which must be found again.
    await dropClaim(database, second);
    expect((await take()).id).toBe(first.id);

    const clean = await take({ key: 'clean' });
    await dropClaim(database, clean);
    expect((await take({ key: 'clean', fingerprint: OTHER_BODY })).id).not.toBe(clean.id);
  });

  it('gets the fingerprint of an upload later, and detects another upload', async () => {
    const upload = await take({ fingerprint: null });
    expect(await ask({ fingerprint: null })).toEqual({ kind: 'running' });
    expect(await confirmClaim(database, upload, BODY)).toBe(true);
    nowMs += LEASE_MS;
    const next = await take({ fingerprint: null });
    expect(await confirmClaim(database, upload, BODY)).toBe(false);
    expect(await confirmClaim(database, next, OTHER_BODY)).toBe(false);
    expect(await confirmClaim(database, next, BODY)).toBe(true);
    await completeClaim(database, next, ANSWER);
    expect(await ask({ fingerprint: null })).toMatchObject({
      kind: 'answered',
      fingerprint: BODY,
    });
  });

  it('sweeps expired keys, a bounded number at a time, then their blobs', async () => {
    for (const key of ['a', 'b', 'c']) await completeClaim(database, await take({ key }), ANSWER);
    const large = await take({ key: 'd' });
    await noteAnswerBlob(database, large, 'tenants/t/idempotency/d');
    await completeClaim(database, large, {
      ...ANSWER,
      body: { blobKey: 'tenants/t/idempotency/d' },
    });
    expect(await ask({ key: 'd' })).toMatchObject({
      answer: { body: { blobKey: 'tenants/t/idempotency/d' } },
    });
    const end = new Date(nowMs + LIFE_MS);
    expect(await sweepIdempotencyKeys(database, 10, new Date(end.getTime() - 1))).toBe(0);
    expect(await sweepIdempotencyKeys(database, 3, end)).toBe(3);
    expect(await sweepIdempotencyKeys(database, 3, end)).toBe(1);
    expect(await rows()).toBe(0);
    const [waste] = await database.query<{ due_at: Date }>({
      name: 'waste',
      text: "SELECT due_at FROM page_cache_waste WHERE blob_key LIKE '%idempotency/d'",
    });
    expect(waste?.due_at.getTime()).toBeGreaterThan(end.getTime());
  });

  it('reads and writes rows by index, however many keys there are', async () => {
    await database.query({
      name: 'fill',
      text: `INSERT INTO idempotency_keys (tenant_id, key, id, status, created_at, expires_at)
             SELECT '${tenantId}', n::text, gen_random_uuid(), 200, now(), now() + (n - 100) * interval '1 second'
             FROM generate_series(1, 20000) n`,
    });
    await database.query({ name: 'analyze', text: 'ANALYZE idempotency_keys' });
    const planOf = async (text: string): Promise<string> =>
      (await database.query<{ 'QUERY PLAN': string }>(adHocStatement(text)))
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    const plan = await planOf(
      'EXPLAIN SELECT 1 FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT 500',
    );
    expect(plan).toContain('idempotency_keys_expiry');
    expect(await sweepIdempotencyKeys(database, 50)).toBe(50);
  });
});
