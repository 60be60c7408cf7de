import type { ScanReply, TechReason } from '@app/tech';
import type { ScanEnding } from './scan-pool.js';

/** Label of `trawl_techscan_scans_total`. */
export type ScanOutcomeLabel =
  | 'complete'
  | 'partial'
  | 'worker_terminated'
  | 'queue_timeout'
  | 'worker_error'
  | 'tenant_cooldown';

/** A reply without any fingerprint, and the reason. */
export function emptyReply(reason: TechReason, durationMs = 0): ScanReply {
  return {
    technologies: [],
    reasons: [reason],
    scannedBytes: 0,
    durationMs: Math.round(durationMs),
  };
}

export function replyOf(ending: ScanEnding): ScanReply {
  switch (ending.kind) {
    case 'scanned': {
      const { outcome, durationMs } = ending;
      const { technologies, reasons, scannedBytes } = outcome;
      return { technologies, reasons, scannedBytes, durationMs: Math.round(durationMs) };
    }
    case 'terminated':
      return emptyReply('worker_terminated', ending.durationMs);
    case 'failed':
      return emptyReply('worker_error', ending.durationMs);
    case 'late':
      return emptyReply('queue_timeout');
  }
}

const WHOLE_REASONS = [
  'worker_terminated',
  'queue_timeout',
  'worker_error',
  'tenant_cooldown',
] as const satisfies readonly TechReason[];

export function labelOf({ reasons }: ScanReply): ScanOutcomeLabel {
  const whole = WHOLE_REASONS.find((reason) => reasons.includes(reason));
  return whole ?? (reasons.length > 0 ? 'partial' : 'complete');
}

/** Metric reason of a scan that cost its thread; null: it cost none. */
export function terminationOf(ending: ScanEnding): 'timeout' | 'memory' | 'crash' | null {
  if (ending.kind === 'terminated') return 'timeout';
  return ending.kind === 'failed' && ending.cause !== 'error' ? ending.cause : null;
}
