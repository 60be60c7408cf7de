import Stripe from 'stripe';
import { PaymentEventError } from './payment-event.js';
import { readStripeEvent, STRIPE_EVENT_TYPES } from './stripe-event.js';

const SECRET = 'whsec_spec';

function eventText(over: object = {}): string {
  const object = { id: 'sub_1', customer: 'cus_1' };
  const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object }, ...over };
  return JSON.stringify(event, null, 2);
}

function sign(payload: string, ageSeconds = 0, secret = SECRET): string {
  const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** The problem, or the parsed event. */
function read(payload: string, signature: string | undefined = sign(payload)): unknown {
  try {
    return readStripeEvent(payload, signature, SECRET);
  } catch (error) {
    expect(error).toBeInstanceOf(PaymentEventError);
    return (error as Error).message;
  }
}

describe('an event of Stripe', () => {
  it.each([...STRIPE_EVENT_TYPES])('of %s says whose state to read', (type) => {
    expect(read(eventText({ type }))).toEqual({ id: 'evt_1', type, customerId: 'cus_1' });
  });

  it('may hold the customer whole', () => {
    const object = { id: 'in_1', customer: { id: 'cus_2', object: 'customer' } };
    expect(read(eventText({ data: { object } }))).toMatchObject({ customerId: 'cus_2' });
  });

  it.each([
    ['of another kind', eventText({ type: 'charge.succeeded' })],
    ['without a customer', eventText({ data: { object: { id: 'cs_1', customer: null } } })],
    ['without data', eventText({ data: undefined })],
  ])('%s is nothing to do', (_what, text) => {
    expect(read(text)).toBeNull();
  });

  it.each<[string, string, string | undefined, string]>([
    ['without a signature', eventText(), '', 'it has no `stripe-signature`'],
    ['with a signature that is none', eventText(), 'x', 'its signature does not match'],
    ['without a time', eventText(), 'v1=00', 'its signature does not match'],
    [
      'signed with another secret',
      eventText(),
      sign(eventText(), 0, 'whsec_x'),
      'its signature does not match',
    ],
    ['with one byte changed', eventText(), sign(`${eventText()} `), 'its signature does not match'],
    [
      'signed by an old scheme',
      eventText(),
      sign(eventText()).replace('v1=', 'v0='),
      'its signature does not match',
    ],
    [
      'signed 301 seconds ago',
      eventText(),
      sign(eventText(), 302),
      'it was signed more than 300 seconds ago',
    ],
    ['with an empty body', '', sign(''), 'its signature does not match'],
    ['that is no JSON', 'not json', sign('not json'), 'it is not an event'],
    ['that is a list', '[]', sign('[]'), 'it is not an event'],
    ['that is null', 'null', sign('null'), 'it is not an event'],
    ['without an id', eventText({ id: undefined }), undefined, 'it is not an event'],
    [
      'with an id of 300 characters',
      eventText({ id: 'e'.repeat(300) }),
      undefined,
      'it is not an event',
    ],
    ['of the thin kind', eventText({ object: 'v2.core.event' }), undefined, 'it is not an event'],
  ])('%s is refused', (_what, text, signature, problem) => {
    expect(read(text, signature)).toBe(problem);
  });

  it('is taken up to 300 seconds after it was signed', () => {
    jest.useFakeTimers();
    expect(read(eventText(), sign(eventText(), 299))).toMatchObject({ id: 'evt_1' });
    jest.useRealTimers();
  });

  it('is taken when one of several signatures matches, as while a secret is rotated', () => {
    const [time, right] = sign(eventText()).split(',');
    const wrong = sign(eventText(), 0, 'whsec_old').split(',')[1];
    expect(read(eventText(), `${time},${wrong},${right}`)).toMatchObject({ id: 'evt_1' });
  });

  it('keeps nothing of what was sent in its error', () => {
    const secretText = eventText({ note: 'somebody@example.com' });
    const error = (() => {
      try {
        return readStripeEvent(secretText, 't=1,v1=00', SECRET);
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('somebody');
    expect((error as Error).cause).toBeUndefined();
  });
});
