import { ApiError } from '@app/contracts';
import { PaymentEventError, type PaymentEvent } from '@app/providers';
import type { Runtime } from '@app/runtime';
import type { BillingPayments } from './billing-payments.js';
import { PaymentEventsService } from './payment-events.service.js';

const EVENT: PaymentEvent = { id: 'evt_1', type: 'invoice.paid', customerId: 'cus_1' };

describe('receiving payment events', () => {
  function service(parse: () => PaymentEvent | null, query: () => Promise<unknown[]>) {
    const log = { info: () => undefined, warn: () => undefined };
    const runtime = { database: { query }, log } as unknown as Runtime;
    const provider = { name: 'stripe', parseEvent: parse };
    const payments = { require: () => ({ provider }) } as unknown as BillingPayments;
    return new PaymentEventsService(runtime, payments);
  }
  const apiErrorOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? [error.row.status, error.message] : error),
    );

  it('succeeds when the event is stored, or was before', async () => {
    for (const rows of [[{}], []]) {
      const kept = service(
        () => EVENT,
        async () => rows,
      );
      expect(await kept.receive('{}', 's')).toEqual({ received: true });
    }
  });

  it('requests it again when the database is unavailable, so that it is not lost', async () => {
    const away = service(
      () => EVENT,
      () => Promise.reject(new Error('connection refused')),
    );
    expect(await apiErrorOf(away.receive('{}', 's'))).toEqual([
      503,
      'The event could not be stored. Send it again.',
    ]);
  });

  it('stores nothing for an event without effect, or a rejected one', async () => {
    const never = () => Promise.reject(new Error('must not be called'));
    expect(await service(() => null, never).receive('{}', 's')).toEqual({ received: true });
    const refused = service(() => {
      throw new PaymentEventError('its signature does not match');
    }, never);
    expect(await apiErrorOf(refused.receive('{}', 's'))).toEqual([
      400,
      'Payment event refused: its signature does not match',
    ]);
  });
});
