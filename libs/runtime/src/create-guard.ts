import type { Settings } from '@app/config';
import { EgressGuard, parseAllowPrivate, TargetResolver } from '@app/egress';
import type { Metrics } from '@app/telemetry';

/** The egress guard as every process has it: what the API refuses at the door, the fetcher refuses at the dial. */
export function createGuard(settings: Settings, metrics?: Metrics): EgressGuard {
  return new EgressGuard({
    resolver: new TargetResolver(),
    allowPrivate: parseAllowPrivate(settings.fetchAllowPrivate),
    onDenied: (stage) => metrics?.ssrfDenied.inc({ stage }),
  });
}
