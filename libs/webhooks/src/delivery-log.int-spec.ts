import { newId } from '@app/contracts';
import {
  msFromNow,
  DELIVERED,
  GONE,
  HOOK,
  HOUR_MS,
  LEASE_MS,
  retryIn,
  WebhookFixture,
} from '../test/webhook-fixture.js';
import type { TakenDelivery } from './delivery.js';
import { findDelivery, listDeliveries, redeliver, webhookBacklog } from './delivery-log.js';
import type { AfterAttempt } from './deliverer.js';

describe('the log of webhooks', () => {
  let fixture: WebhookFixture;

  beforeAll(async () => {
    fixture = await WebhookFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  it('is paged newest first, filtered, and shows a tenant only its own', async () => {
    const jobs: string[] = [];
    for (let n = 0; n < 5; n++) jobs.push(await fixture.end(`http://h${n}.example/`));
    const other = await fixture.newTenant();
    const foreign = await fixture.end(HOOK, other);
    const newest = (await fixture.all({ most: 2 })).map(({ jobId }) => jobId);
    expect(newest).toEqual([jobs[4], jobs[3]]);
    const [, last] = await fixture.all({ most: 2 });
    const rest = await fixture.all({ before: last?.id ?? '' });
    expect(rest.map(({ jobId }) => jobId)).toEqual([jobs[2], jobs[1], jobs[0]]);
    expect(await fixture.all({ jobId: foreign })).toEqual([]);
    expect(await fixture.all({ jobId: jobs[1] ?? '' })).toHaveLength(1);
    const [{ id }] = (await fixture.take()).sends.filter((one) => one.tenantId === other) as [
      TakenDelivery,
    ];
    expect(await findDelivery(fixture.database, fixture.tenantId, id)).toBeNull();
    expect(await findDelivery(fixture.database, other, id)).not.toBeNull();
  });

  it('is filtered by state, of one job too', async () => {
    const jobId = await fixture.end();
    await fixture.record(await fixture.takeOne(), DELIVERED);
    await fixture.end();
    const of = (state: 'delivered' | 'pending' | 'failed', job: string | null) =>
      listDeliveries(fixture.database, fixture.tenantId, {
        jobId: job,
        state,
        before: null,
        most: 9,
      });
    expect(await of('delivered', null)).toMatchObject([{ jobId }]);
    expect(await of('delivered', jobId)).toHaveLength(1);
    expect(await of('pending', jobId)).toEqual([]);
    expect(await of('pending', null)).toHaveLength(1);
    expect(await of('failed', null)).toEqual([]);
  });

  describe('an address that answers 410', () => {
    it('gets no more deliveries, while others of its receiver continue', async () => {
      const first = await fixture.end();
      const second = await fixture.end();
      await fixture.record(await fixture.takeOne(), GONE);
      const { sends, closed } = await fixture.take();
      expect(sends).toEqual([]);
      expect(closed).toMatchObject([{ state: 'disabled' }]);
      const other = await fixture.end('https://hooks.example/other');
      expect(await fixture.takeOne()).toMatchObject({ event: { job: { id: other } } });
      expect(await fixture.all({ jobId: first })).toMatchObject([
        { state: 'disabled', attemptCount: 1 },
      ]);
      expect(await fixture.all({ jobId: second })).toMatchObject([
        { state: 'disabled', attemptCount: 0 },
      ]);
    });

    it('continues for another tenant', async () => {
      await fixture.end();
      await fixture.record(await fixture.takeOne(), GONE);
      const other = await fixture.newTenant();
      await fixture.end(HOOK, other);
      expect((await fixture.takeOne()).tenantId).toBe(other);
    });

    it('is enabled again by a redelivery', async () => {
      await fixture.end();
      const first = await fixture.takeOne();
      await fixture.record(first, GONE);
      await redeliver(fixture.database, fixture.tenantId, first.id);
      const again = await fixture.takeOne();
      expect(again).toMatchObject({ id: first.id, attemptNo: 2, step: 1 });
      await fixture.record(again, DELIVERED);
      const next = await fixture.end();
      expect(await fixture.takeOne()).toMatchObject({ event: { job: { id: next } } });
    });
  });

  describe('a redelivery', () => {
    it.each<AfterAttempt>([
      DELIVERED,
      { state: 'failed' },
      { state: 'disabled' },
      retryIn(HOUR_MS),
    ])('resends a delivery that is $state', async (after) => {
      await fixture.end();
      const first = await fixture.takeOne();
      await fixture.record(first, after);
      expect(await redeliver(fixture.database, fixture.tenantId, first.id)).toMatchObject({
        id: first.id,
        state: 'pending',
        attempts: [{ no: 1 }],
        endedAt: null,
      });
      expect(await fixture.takeOne()).toMatchObject({ id: first.id, step: 1, round: 1 });
    });

    it('requested while an attempt is in flight follows it', async () => {
      await fixture.end();
      const first = await fixture.takeOne();
      await redeliver(fixture.database, fixture.tenantId, first.id);
      expect((await fixture.take()).sends).toEqual([]);
      await fixture.record(first, DELIVERED);
      expect(await findDelivery(fixture.database, fixture.tenantId, first.id)).toMatchObject({
        state: 'pending',
        lastStatus: 204,
      });
      const again = await fixture.takeOne();
      await fixture.record(again, DELIVERED);
      expect(await findDelivery(fixture.database, fixture.tenantId, first.id)).toMatchObject({
        state: 'delivered',
        attemptCount: 2,
      });
    });

    it('of another tenant is not done', async () => {
      await fixture.end();
      const first = await fixture.takeOne();
      await fixture.record(first, DELIVERED);
      const other = await fixture.newTenant();
      expect(await redeliver(fixture.database, other, first.id)).toBeNull();
      expect(await redeliver(fixture.database, fixture.tenantId, newId())).toBeNull();
      expect((await fixture.take()).sends).toEqual([]);
      expect(await fixture.receivers()).toBe(0);
    });

    it('keeps the newest attempts only', async () => {
      await fixture.end();
      const { id } = await fixture.takeOne();
      for (let n = 0; n < 25; n++) {
        await redeliver(fixture.database, fixture.tenantId, id);
        await fixture.record(
          await fixture.takeOne({ now: msFromNow((n + 1) * 2 * LEASE_MS) }),
          DELIVERED,
        );
      }
      const found = await findDelivery(fixture.database, fixture.tenantId, id);
      expect(found?.attempts.map(({ no }) => no)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 7),
      );
      expect(found?.attemptCount).toBe(26);
    });
  });

  it('the backlog counts pending deliveries, and the age of those due now', async () => {
    expect(await webhookBacklog(fixture.database)).toEqual({ pending: 0, oldestSeconds: 0 });
    await fixture.end();
    await fixture.end('http://b.example/');
    const text = `UPDATE webhook_receivers SET next_at = now() - interval '100 s'`;
    const agedAtMs = performance.now();
    await fixture.database.query({ name: 'age', text });
    const waiting = await webhookBacklog(fixture.database);
    const passedSeconds = (performance.now() - agedAtMs) / 1_000;
    expect(waiting.pending).toBe(2);
    expect(waiting.oldestSeconds).toBeGreaterThanOrEqual(100);
    expect(waiting.oldestSeconds).toBeLessThan(101 + passedSeconds);
    for (const one of (await fixture.take()).sends) await fixture.record(one, retryIn(HOUR_MS));
    expect(await webhookBacklog(fixture.database)).toEqual({ pending: 2, oldestSeconds: 0 });
  });

  it('is deleted with its tenant', async () => {
    await fixture.end();
    await fixture.record(await fixture.takeOne(), { state: 'disabled' });
    await fixture.end('http://b.example/');
    await fixture.database.query({ name: 'no_jobs', text: 'DELETE FROM jobs' });
    await fixture.database.query({ name: 'no_tenants', text: 'DELETE FROM tenants' });
    expect(await fixture.receivers()).toBe(0);
  });
});
