import { parseAllowPrivate } from './allow-private.js';
import type { DeniedStage } from './egress-errors.js';
import { parseEgressDeny } from './deny-ranges.js';
import { EgressGuard } from './guard.js';
import { TargetResolver } from './resolver.js';

/** The settings that say what may be fetched, as they are written. */
export interface GuardSettings {
  readonly fetchAllowPrivate: string;
  readonly egressDeny: string;
}

/** The guard by these settings. Every process builds its own here, so that none refuses less than another. */
export function guardOfSettings(
  { fetchAllowPrivate, egressDeny }: GuardSettings,
  onDenied: (stage: DeniedStage) => void,
): EgressGuard {
  return new EgressGuard({
    resolver: new TargetResolver(),
    allowPrivate: parseAllowPrivate(fetchAllowPrivate),
    deny: parseEgressDeny(egressDeny),
    onDenied,
  });
}
