import type { Settings } from '@app/config';
import { guardOfSettings, type EgressGuard } from '@app/egress';
import type { Metrics } from '@app/telemetry';

/** The egress guard as every process has it: what the API refuses at the door, the fetcher refuses at the dial. */
export function createGuard(settings: Settings, metrics?: Metrics): EgressGuard {
  return guardOfSettings(settings, (stage) => metrics?.ssrfDenied.inc({ stage }));
}
