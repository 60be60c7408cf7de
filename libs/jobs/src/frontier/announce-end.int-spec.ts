import { newId } from '@app/contracts';
import { adHocStatement, until } from '@app/testing';
import { findDeliveredEvent } from '@app/webhooks';
import { insertJob } from '../../../../test/setup/webhook-jobs.js';
import { HOOK, WebhookFixture } from '../../../webhooks/test/webhook-fixture.js';
import { completeJob, giveUpJob } from '../results/finish-job.js';
import { cancelJob } from './end-leases.js';
import { Notifications, WEBHOOK_CHANNEL } from '@app/database';

describe('the end of a job', () => {
  let fixture: WebhookFixture;

  beforeAll(async () => {
    fixture = await WebhookFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const ENDS: readonly [string, (id: string) => Promise<unknown>, string][] = [
    [
      'completed',
      (id) => completeJob(fixture.database, id, { resultKey: 'k', problem: '' }),
      'completed',
    ],
    ['given up', (id) => giveUpJob(fixture.database, id, 'no file'), 'failed'],
    ['cancelled', (id) => cancelJob(fixture.database, fixture.tenantId, id), 'cancelled'],
  ];

  it.each(ENDS)('writes one delivery of its event when %s', async (_, end, status) => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    await end(id);
    expect(await fixture.all()).toMatchObject([
      { jobId: id, url: HOOK, state: 'pending', event: `crawl.${status}`, attempts: [] },
    ]);
  });

  it('without a result writes one as well', async () => {
    const id = await insertJob(fixture.database, {
      tenantId: fixture.tenantId,
      webhookUrl: HOOK,
      scraped: 0,
    });
    await completeJob(fixture.database, id, { resultKey: null, problem: 'no page' });
    expect(await fixture.all()).toMatchObject([{ jobId: id, event: 'crawl.failed' }]);
  });

  it.each(ENDS)('of a job of /v2 is announced if it completed: %s', async (_, end, status) => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    const text = `UPDATE jobs SET options = options || '{"v2": {"warning": null}}' WHERE id = $1`;
    await fixture.database.query({ name: 'came by v2', text }, [id]);
    await end(id);
    expect(await fixture.all()).toHaveLength(status === 'completed' ? 1 : 0);
  });

  it.each(ENDS)('writes nothing without a webhook: %s', async (_, end) => {
    await end(await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: null }));
    expect(await fixture.all()).toEqual([]);
    expect(await fixture.receivers()).toBe(0);
  });

  it.each(ENDS)('is announced once, whatever ends it again after %s', async (_, end) => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    await end(id);
    const [before] = await fixture.all();
    for (const [, again] of ENDS) await again(id);
    expect(await fixture.all()).toEqual([before]);
  });

  it('is announced once when all ends come at the same time', async () => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    await Promise.all([...ENDS, ...ENDS].map(([, end]) => end(id)));
    expect(await fixture.all()).toHaveLength(1);
  });

  it('cannot write a second event, even by a statement that does not check', async () => {
    const id = await fixture.end();
    const text = `INSERT INTO webhook_deliveries (id, tenant_id, job_id, url, url_key, next_at)
                  SELECT $1, tenant_id, job_id, url, url_key, now() FROM webhook_deliveries WHERE job_id = $2`;
    await expect(fixture.database.query({ name: 'second', text }, [newId(), id])).rejects.toThrow(
      /webhook_deliveries_job/,
    );
  });

  it.each(['nonsense', '', `http://h.example/${'a'.repeat(20_000)}`, `x${'y'.repeat(20_000)}`])(
    'comes whatever is written where the webhook should be (%#)',
    async (webhookUrl) => {
      const id = await fixture.end(webhookUrl);
      expect(await fixture.all()).toMatchObject([{ jobId: id, url: webhookUrl }]);
      expect(await fixture.takeOne()).toMatchObject({ event: { job: { id } } });
    },
  );

  it('wakes the deliverers', async () => {
    let woken = 0;
    let listening = 0;
    const notifications = new Notifications(fixture.database.url, {
      [WEBHOOK_CHANNEL]: () => {
        // The first call says that it listens.
        if (listening++ > 0) woken++;
      },
    });
    notifications.start();
    await until(() => listening > 0, { what: 'the listener' });
    await fixture.end();
    await until(() => woken > 0, { what: 'the notification' });
    await notifications.close();
  });

  it('is announced with the final state of the job', async () => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    await completeJob(fixture.database, id, { resultKey: 'results/1', problem: '' });
    const { event, url, receiver, attemptNo, step } = await fixture.takeOne();
    expect(event.kind === 'job' && event.job).toEqual({
      id,
      tenantId: fixture.tenantId,
      type: 'crawl',
      url: 'http://site.example/',
      status: 'completed',
      scraped: 3,
      resultKey: 'results/1',
      isV2: false,
      changes: null,
      completedAt: expect.any(Date),
    });
    expect({ url, receiver, attemptNo, step }).toEqual({
      url: HOOK,
      receiver: 'https://hooks.example',
      attemptNo: 1,
      step: 1,
    });
  });

  it.each([
    ['counts', ['changed', 'gone', 'same'], { changed: 1, gone: 2, same: 3 }],
    ['has none of', [], {}],
  ])('of a recrawl %s the pages by how they differ', async (_, reasons, changes) => {
    const id = await insertJob(fixture.database, { tenantId: fixture.tenantId, webhookUrl: HOOK });
    const run = (text: string) => fixture.database.query(adHocStatement(text));
    await run(`UPDATE jobs SET options = '{"since": "${newId()}"}' WHERE id = '${id}'`);
    const rows = [
      ['failed', 'timeout'],
      ['skipped', 'gone'],
      ...reasons.map((reason) => [reason === 'gone' ? 'gone' : 'scraped', reason]),
    ];
    for (const [at, [state, reason]] of rows.entries())
      await run(`INSERT INTO job_reasons (job_id, state, reason, pages)
                 VALUES ('${id}', '${state}', '${reason}', ${at - 1})`);
    await completeJob(fixture.database, id, { resultKey: null, problem: '' });
    const { id: delivery, event } = await fixture.takeOne();
    expect(event).toMatchObject({ job: { changes } });
    // As the tenant reads it in its log.
    const found = await findDeliveredEvent(fixture.database, fixture.tenantId, delivery);
    expect(found).toEqual(event);
  });
});
