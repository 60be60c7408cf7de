import { newId } from '@app/contracts';
import {
  at,
  DELIVERED,
  GONE,
  HOOK,
  HOUR_MS,
  LEASE_MS,
  retryIn,
  WebhookRig,
} from '../../test/webhook-fixture.js';
import type { TakenDelivery } from './delivery.js';
import { findDelivery, listDeliveries, redeliver, webhookBacklog } from './delivery-log.js';
import type { AfterAttempt } from './record-attempt.js';

describe('the log of webhooks', () => {
  let rig: WebhookRig;

  beforeAll(async () => {
    rig = await WebhookRig.open();
  });
  afterAll(() => rig.close());
  beforeEach(() => rig.reset());

  it('is paged newest first, filtered, and its tenant sees nobody else', async () => {
    const jobs: string[] = [];
    for (let n = 0; n < 5; n++) jobs.push(await rig.end(`http://h${n}.example/`));
    const other = await rig.newTenant();
    const foreign = await rig.end(HOOK, other);
    const newest = (await rig.all({ most: 2 })).map(({ jobId }) => jobId);
    expect(newest).toEqual([jobs[4], jobs[3]]);
    const [, last] = await rig.all({ most: 2 });
    const rest = await rig.all({ before: last?.id ?? '' });
    expect(rest.map(({ jobId }) => jobId)).toEqual([jobs[2], jobs[1], jobs[0]]);
    expect(await rig.all({ jobId: foreign })).toEqual([]);
    expect(await rig.all({ jobId: jobs[1] ?? '' })).toHaveLength(1);
    const [{ id }] = (await rig.take()).sends.filter((one) => one.tenantId === other) as [
      TakenDelivery,
    ];
    expect(await findDelivery(rig.store, rig.tenantId, id)).toBeNull();
    expect(await findDelivery(rig.store, other, id)).not.toBeNull();
  });

  it('is filtered by state, of one job too', async () => {
    const jobId = await rig.end();
    await rig.record(await rig.takeOne(), DELIVERED);
    await rig.end();
    const of = (state: 'delivered' | 'pending' | 'failed', job: string | null) =>
      listDeliveries(rig.store, rig.tenantId, { jobId: job, state, before: null, most: 9 });
    expect(await of('delivered', null)).toMatchObject([{ jobId }]);
    expect(await of('delivered', jobId)).toHaveLength(1);
    expect(await of('pending', jobId)).toEqual([]);
    expect(await of('pending', null)).toHaveLength(1);
    expect(await of('failed', null)).toEqual([]);
  });

  describe('an address that answers 410', () => {
    it('gets nothing more, while others of its receiver go on', async () => {
      const first = await rig.end();
      const second = await rig.end();
      await rig.record(await rig.takeOne(), GONE);
      const { sends, closed } = await rig.take();
      expect(sends).toEqual([]);
      expect(closed).toMatchObject([{ state: 'disabled' }]);
      const other = await rig.end('https://hooks.example/other');
      expect((await rig.takeOne()).job.id).toBe(other);
      expect(await rig.all({ jobId: first })).toMatchObject([
        { state: 'disabled', attemptCount: 1 },
      ]);
      expect(await rig.all({ jobId: second })).toMatchObject([
        { state: 'disabled', attemptCount: 0 },
      ]);
    });

    it('goes on for another tenant', async () => {
      await rig.end();
      await rig.record(await rig.takeOne(), GONE);
      const other = await rig.newTenant();
      await rig.end(HOOK, other);
      expect((await rig.takeOne()).tenantId).toBe(other);
    });

    it('is enabled again by a redelivery', async () => {
      await rig.end();
      const first = await rig.takeOne();
      await rig.record(first, GONE);
      expect(await redeliver(rig.store, rig.tenantId, first.id)).toBe(true);
      const again = await rig.takeOne();
      expect(again).toMatchObject({ id: first.id, attemptNo: 2, step: 1 });
      await rig.record(again, DELIVERED);
      const next = await rig.end();
      expect((await rig.takeOne()).job.id).toBe(next);
    });
  });

  describe('a redelivery', () => {
    it.each<AfterAttempt>([
      DELIVERED,
      { state: 'failed' },
      { state: 'disabled' },
      retryIn(HOUR_MS),
    ])('sends again what is $state', async (after) => {
      await rig.end();
      const first = await rig.takeOne();
      await rig.record(first, after);
      expect(await redeliver(rig.store, rig.tenantId, first.id)).toBe(true);
      expect(await rig.takeOne()).toMatchObject({ id: first.id, step: 1, round: 1 });
    });

    it('asked for while an attempt is in flight follows it', async () => {
      await rig.end();
      const first = await rig.takeOne();
      await redeliver(rig.store, rig.tenantId, first.id);
      expect((await rig.take()).sends).toEqual([]);
      await rig.record(first, DELIVERED);
      expect(await findDelivery(rig.store, rig.tenantId, first.id)).toMatchObject({
        state: 'pending',
        lastStatus: 204,
      });
      const again = await rig.takeOne();
      await rig.record(again, DELIVERED);
      expect(await findDelivery(rig.store, rig.tenantId, first.id)).toMatchObject({
        state: 'delivered',
        attemptCount: 2,
      });
    });

    it('of another tenant is not done', async () => {
      await rig.end();
      const first = await rig.takeOne();
      await rig.record(first, DELIVERED);
      const other = await rig.newTenant();
      expect(await redeliver(rig.store, other, first.id)).toBe(false);
      expect(await redeliver(rig.store, rig.tenantId, newId())).toBe(false);
      expect((await rig.take()).sends).toEqual([]);
      expect(await rig.receivers()).toBe(0);
    });

    it('keeps the newest attempts only', async () => {
      await rig.end();
      const { id } = await rig.takeOne();
      for (let n = 0; n < 25; n++) {
        await redeliver(rig.store, rig.tenantId, id);
        await rig.record(await rig.takeOne({ now: at((n + 1) * 2 * LEASE_MS) }), DELIVERED);
      }
      const found = await findDelivery(rig.store, rig.tenantId, id);
      expect(found?.attempts.map(({ no }) => no)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 7),
      );
      expect(found?.attemptCount).toBe(26);
    });
  });

  it('the backlog counts what is pending, and the age of what could be sent now', async () => {
    expect(await webhookBacklog(rig.store)).toEqual({ pending: 0, oldestSeconds: 0 });
    await rig.end();
    await rig.end('http://b.example/');
    const text = `UPDATE webhook_receivers SET next_at = now() - interval '100 s'`;
    await rig.store.query({ name: 'age', text });
    const waiting = await webhookBacklog(rig.store);
    expect(waiting.pending).toBe(2);
    expect(Math.round(waiting.oldestSeconds / 10)).toBe(10);
    for (const one of (await rig.take()).sends) await rig.record(one, retryIn(HOUR_MS));
    expect(await webhookBacklog(rig.store)).toEqual({ pending: 2, oldestSeconds: 0 });
  });

  it('goes with its tenant', async () => {
    await rig.end();
    await rig.record(await rig.takeOne(), { state: 'disabled' });
    await rig.end('http://b.example/');
    await rig.store.query({ name: 'no_jobs', text: 'DELETE FROM jobs' });
    await rig.store.query({ name: 'no_tenants', text: 'DELETE FROM tenants' });
    expect(await rig.receivers()).toBe(0);
  });
});
