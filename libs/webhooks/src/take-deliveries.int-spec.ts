import {
  msFromNow,
  DELIVERED,
  HOUR_MS,
  LEASE_MS,
  retryIn,
  WebhookFixture,
} from '../test/webhook-fixture.js';

describe('taking webhooks to deliver', () => {
  let fixture: WebhookFixture;

  beforeAll(async () => {
    fixture = await WebhookFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  it('never leases one receiver twice, and delivers everything once', async () => {
    const tenants = [fixture.tenantId, await fixture.newTenant()];
    for (let n = 0; n < 60; n++)
      await fixture.end(`http://h${n % 7}.example/${n}`, tenants[n % 2] ?? '');
    const held = new Set<string>();
    const sent: string[] = [];
    const work = async (): Promise<void> => {
      for (let empty = 0; empty < 20;) {
        const { sends } = await fixture.take({ most: 3 });
        empty = sends.length === 0 ? empty + 1 : 0;
        for (const one of sends) {
          const key = `${one.tenantId} ${one.receiver}`;
          expect(held.has(key)).toBe(false);
          held.add(key);
        }
        for (const one of sends) {
          sent.push(one.id);
          held.delete(`${one.tenantId} ${one.receiver}`);
          expect(await fixture.record(one, DELIVERED)).toBe(true);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(sent).toHaveLength(60);
    expect(new Set(sent).size).toBe(60);
    expect(await fixture.receivers()).toBe(0);
  });

  it('takes one delivery per receiver and tenant, the origin being the receiver', async () => {
    for (const url of ['http://a.example/1', 'http://a.example/2', 'http://a.example:81/'])
      await fixture.end(url);
    await fixture.end('http://a.example/1', await fixture.newTenant());
    const { sends } = await fixture.take();
    expect(sends.map(({ receiver }) => receiver).sort()).toEqual([
      'http://a.example',
      'http://a.example',
      'http://a.example:81',
    ]);
    expect((await fixture.take()).sends).toEqual([]);
  });

  it('limits one tenant to its share, and serves the others', async () => {
    const other = await fixture.newTenant();
    for (let n = 0; n < 8; n++) await fixture.end(`http://h${n}.example/`);
    await fixture.end('http://h.example/', other);
    const { sends } = await fixture.take({
      most: 4,
      perTenant: 3,
      busy: new Map([[fixture.tenantId, 1]]),
    });
    expect(sends.filter((one) => one.tenantId === fixture.tenantId)).toHaveLength(2);
    expect(sends.filter((one) => one.tenantId === other)).toHaveLength(1);
    const full = await fixture.take({ perTenant: 3, busy: new Map([[fixture.tenantId, 3]]) });
    expect(full.sends).toEqual([]);
  });

  it('finds other tenants behind one that has its share and many more deliveries', async () => {
    for (let n = 0; n < 8; n++) await fixture.end(`http://h${n}.example/`);
    const other = await fixture.newTenant();
    await fixture.end('http://h.example/', other);
    const one = await fixture.takeOne({
      most: 1,
      perTenant: 2,
      busy: new Map([[fixture.tenantId, 2]]),
    });
    expect(one.tenantId).toBe(other);
  });

  it('waits for the time a delivery is due', async () => {
    await fixture.end();
    await fixture.record(await fixture.takeOne(), retryIn(HOUR_MS));
    expect((await fixture.take({ now: msFromNow(HOUR_MS - 60_000) })).sends).toEqual([]);
    const again = await fixture.takeOne({ now: msFromNow(HOUR_MS + 60_000) });
    expect(again).toMatchObject({ attemptNo: 2, step: 2 });
  });

  it('lets a receiver that waits for a retry take the event of another job', async () => {
    await fixture.end();
    await fixture.record(await fixture.takeOne(), retryIn(HOUR_MS));
    const second = await fixture.end();
    expect(await fixture.takeOne()).toMatchObject({ event: { job: { id: second } } });
  });

  it('takes over from a dead worker, whose late report changes nothing', async () => {
    const jobId = await fixture.end();
    const dead = await fixture.takeOne();
    expect((await fixture.take({ now: msFromNow(LEASE_MS - 60_000) })).sends).toEqual([]);
    const heir = await fixture.takeOne({ now: msFromNow(LEASE_MS + 5_000) });
    expect(heir).toMatchObject({ id: dead.id, attemptNo: 2 });
    expect(await fixture.record(dead, DELIVERED)).toBe(false);
    expect(await fixture.all({ jobId })).toMatchObject([
      {
        state: 'pending',
        attempts: [
          { no: 1, status: 204 },
          { no: 2, status: null },
        ],
      },
    ]);
    expect(await fixture.record(heir, DELIVERED)).toBe(true);
    expect(await fixture.all({ jobId })).toMatchObject([{ state: 'delivered', nextAt: null }]);
  });

  it('ends a delivery whose last attempt died', async () => {
    const jobId = await fixture.end();
    for (let n = 0; n < 3; n++)
      await fixture.takeOne({ maxSteps: 3, now: msFromNow(n * 2 * LEASE_MS) });
    const { sends, closed } = await fixture.take({ maxSteps: 3, now: msFromNow(6 * LEASE_MS) });
    expect(sends).toEqual([]);
    expect(closed).toMatchObject([{ state: 'failed', event: 'crawl.completed' }]);
    expect(await fixture.all({ jobId })).toMatchObject([{ state: 'failed', attemptCount: 3 }]);
    expect(await fixture.receivers()).toBe(0);
  });

  it('does not count an attempt that was broken off', async () => {
    await fixture.end();
    const first = await fixture.takeOne();
    await fixture.record(first, { state: 'pending', inMs: 0, isCounted: false });
    expect(await fixture.takeOne()).toMatchObject({ step: 1, attemptNo: 2 });
  });

  it('moves a receiver with more deliveries behind the others', async () => {
    await fixture.end('http://a.example/1');
    await fixture.end('http://a.example/2');
    await fixture.end('http://b.example/');
    const first = await fixture.takeOne({ most: 1 });
    expect(first.receiver).toBe('http://a.example');
    await fixture.record(first, DELIVERED);
    expect((await fixture.takeOne({ most: 1 })).receiver).toBe('http://b.example');
  });
});
