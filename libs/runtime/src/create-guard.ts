import type { Settings } from '@app/config';
import { guardOfSettings, type EgressGuard } from '@app/egress';
import type { Metrics } from '@app/telemetry';

/**
 * The egress guard, the same in every process: the API refuses when a request arrives, the fetcher when it
 * connects.
 */
export function createGuard(settings: Settings, metrics?: Metrics): EgressGuard {
  return guardOfSettings(settings, (stage) => metrics?.ssrfDenied.inc({ stage }));
}
