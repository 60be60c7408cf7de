import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { paymentLoops } from './pay-per-call/payment-loops.js';
import { openEventLoops } from './subscriptions/open-event-loops.js';

/** The background work on subscriptions and payments of single requests. */
export function openBillingLoops(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
): LoopGroup {
  const { log } = runtime;
  const events = openEventLoops(runtime);
  const loops = [...events.rounds, ...paymentLoops(runtime)];
  return {
    loops: loops.map((loop) => new BackgroundLoop({ ...loop, log })),
    abort: () => events.abort(),
    close: () => events.close(),
  };
}
