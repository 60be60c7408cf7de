import { newId } from '@app/contracts';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { Notifications, PAYMENT_CHANNEL, type Database } from '@app/database';
import {
  deferPaymentEvent,
  endPaymentEvent,
  receivePaymentEvent,
  sweepPaymentEvents,
  takePaymentEvents,
} from './payment-events.js';

interface EventRow extends Record<string, unknown> {
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}

describe('payment events', () => {
  let fresh: FreshDatabase;
  let database: Database;
  /** Each test has its own provider. */
  let provider: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => {
    provider = newId();
  });

  const receive = (id: string, customerId = 'cus_1') =>
    receivePaymentEvent(database, { provider, id, type: 'invoice.paid', customerId });
  const take = (over: { most?: number; leaseMs?: number; maxAttempts?: number } = {}) =>
    takePaymentEvents(database, { provider, most: 10, leaseMs: 60_000, maxAttempts: 3, ...over });
  const rows = () =>
    database.query<EventRow>(
      {
        name: 'spec_payment_events',
        text: 'SELECT id, state, attempts, error FROM payment_events WHERE provider = $1 ORDER BY id',
      },
      [provider],
    );

  it('are stored once, also when twenty arrive at a time', async () => {
    const kept = await Promise.all(Array.from({ length: 20 }, () => receive('evt_1')));
    expect(kept.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  it('wake those who apply them', async () => {
    let woken = 0;
    const notifications = new Notifications(database.url, { [PAYMENT_CHANNEL]: () => woken++ });
    notifications.start();
    // Sends one notification when it begins to listen.
    await until(() => woken === 1, { what: 'listening' });
    await receive('evt_1');
    await until(() => woken === 2, { what: 'the notification' });
    await notifications.close();
  });

  it('are claimed by one of many workers', async () => {
    for (let n = 0; n < 10; n++) await receive(`evt_${n}`);
    const taken = await Promise.all(Array.from({ length: 6 }, () => take({ most: 3 })));
    const ids = taken.flatMap((one) => one.taken.map(({ id }) => id));
    expect(ids).toHaveLength(new Set(ids).size);
    const rest = (await take()).taken.map(({ id }) => id);
    expect([...ids, ...rest].sort()).toEqual(Array.from({ length: 10 }, (_, n) => `evt_${n}`));
    expect((await take()).taken).toEqual([]);
  });

  it('of a worker that died are claimed again when its lease expires, and are counted', async () => {
    await receive('evt_1');
    expect((await take({ leaseMs: 50 })).taken).toMatchObject([{ id: 'evt_1', attempts: 1 }]);
    const again = await until(async () => (await take({ leaseMs: 50 })).taken[0]);
    expect(again).toEqual({ id: 'evt_1', customerId: 'cus_1', attempts: 2, state: 'pending' });
  });

  it('that kill every taker end after their attempts', async () => {
    await receive('evt_1');
    for (let n = 0; n < 3; n++) await until(async () => (await take({ leaseMs: 1 })).taken[0]);
    const failed = await until(async () => (await take({ leaseMs: 1 })).failed[0]);
    expect(failed).toMatchObject({ id: 'evt_1', attempts: 3 });
    expect(await rows()).toMatchObject([
      { state: 'failed', error: 'its application was broken off each time' },
    ]);
    expect(await take()).toEqual({ taken: [], failed: [] });
  });

  it('are postponed with their reason; an aborted attempt does not count', async () => {
    await receive('evt_1');
    await take();
    const event = { provider, id: 'evt_1' };
    await deferPaymentEvent(database, event, { inMs: 60_000, error: 'down', isCounted: true });
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 1, error: 'down' }]);
    expect((await take()).taken).toEqual([]);
    await deferPaymentEvent(database, event, { inMs: 0, error: null, isCounted: false });
    expect(await rows()).toMatchObject([{ attempts: 0, error: 'down' }]);
    expect((await take()).taken).toMatchObject([{ attempts: 1 }]);
  });

  it('that ended stay so', async () => {
    await receive('evt_1');
    const event = { provider, id: 'evt_1' };
    await endPaymentEvent(database, event, { state: 'ignored', error: 'no customer' });
    await endPaymentEvent(database, event, { state: 'failed', error: 'late' });
    await deferPaymentEvent(database, event, { inMs: 0, error: null, isCounted: true });
    expect(await rows()).toMatchObject([{ state: 'ignored', error: 'no customer' }]);
    expect(await receive('evt_1')).toBe(false);
    expect((await take()).taken).toEqual([]);
  });

  it('are forgotten when they ended long ago, and only then', async () => {
    for (const id of ['evt_old', 'evt_new', 'evt_due']) await receive(id);
    for (const id of ['evt_old', 'evt_new']) {
      await endPaymentEvent(database, { provider, id }, { state: 'ignored', error: 'no customer' });
    }
    await database.query(
      {
        name: 'spec_age_events',
        text: `UPDATE payment_events SET received_at = now() - interval '91 days'
               WHERE provider = $1 AND id <> 'evt_new'`,
      },
      [provider],
    );
    expect(await sweepPaymentEvents(database, { olderThanDays: 90, limit: 10 })).toBe(1);
    expect(await rows()).toMatchObject([{ id: 'evt_due' }, { id: 'evt_new' }]);
  });
});
