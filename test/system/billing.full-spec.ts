import { until } from '@app/testing';
import { BillingRun, type Buyer } from './billing-run.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { crash } from './fault-run.js';

/** Events that a killed process held are taken over when its lease of 60 s is over. */
const TAKEN_OVER_MS = 90_000;

describe.each(MODES)('payment events (%s)', (mode) => {
  let run: BillingRun<Deployment>;
  let buyer: Buyer;

  beforeAll(async () => {
    run = await BillingRun.start((settings) =>
      deploy(mode, { env: { BROWSER_MAX: '0', ...settings } }),
    );
  });
  afterAll(() => run?.stop());
  beforeEach(async () => {
    run.stripe.mode = 'ok';
    buyer = await run.buyer();
  });

  it.each(['before it is begun', 'while it is under way'] as const)(
    'are applied once when the process dies after receipt, %s',
    async (moment) => {
      const events = run.events.pay(await run.opened(buyer, 'pro'));
      const [first, ...others] = events;
      run.stripe.mode = 'hang';
      const before = run.stripe.requests.length;
      if (moment === 'while it is under way') {
        await run.send(first ? [first] : []);
        await until(() => run.stripe.requests.length > before, { what: 'it to be begun' });
        await run.send(others);
      } else {
        await run.send(events);
      }
      await run.service.apps[0]?.process.kill9();
      run.stripe.mode = 'ok';
      await crash(run.service);
      await run.onPlan(buyer, 'pro', TAKEN_OVER_MS);
      expect(await run.settled(events, TAKEN_OVER_MS)).toMatchObject(
        events.map(() => ({ state: 'applied' })),
      );
      expect(await run.changesOf(buyer)).toEqual(['pro']);
    },
  );
});
