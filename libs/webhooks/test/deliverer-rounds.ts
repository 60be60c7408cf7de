import type { Metrics } from '@app/telemetry';
import type { Deliverer } from '../src/deliverer.js';

/** Rounds until nothing is due and nothing in flight. */
export async function settle(deliverer: Deliverer): Promise<void> {
  for (;;) {
    const wantedMs = await deliverer.round();
    await deliverer.idle();
    if (wantedMs !== 0) return;
  }
}

/** How often the webhook of a completed crawl came out like this. */
export async function countOf(metrics: Metrics, outcome: string): Promise<number> {
  const line = new RegExp(
    `trawl_webhook_deliveries_total\\{event="crawl.completed",outcome="${outcome}"\\} (\\d+)`,
  );
  return Number(line.exec(await metrics.text())?.[1]);
}
