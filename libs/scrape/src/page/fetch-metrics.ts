import type { CascadeAttempt } from '@app/contracts';
import type { FetchedPage } from '@app/fetch';
import type { Metrics } from '@app/telemetry';

const PHASES = {
  dnsMs: 'dns',
  connectMs: 'connect',
  tlsMs: 'tls',
  ttfbMs: 'ttfb',
  downloadMs: 'download',
  renderMs: 'render',
  actionsMs: 'actions',
} as const;

/** Records one attempt of a rung. */
export function observeAttempt(
  metrics: Metrics,
  { rung, ok, errorClass, latencyMs }: CascadeAttempt,
  page: FetchedPage | null,
): void {
  const outcome = ok ? 'ok' : 'failed';
  metrics.attempts.inc({ rung, outcome, error_class: errorClass ?? 'none' });
  metrics.attemptSeconds.observe({ rung, outcome }, latencyMs / 1_000);
  if (!page) return;
  for (const [timing, phase] of Object.entries(PHASES)) {
    const ms = page.timings[timing];
    if (ms !== undefined) metrics.phaseSeconds.observe({ rung, phase }, ms / 1_000);
  }
  metrics.responseBytes.observe({ rung }, page.bytes);
}

/** Counts each step up the cascade by its cause. */
export function observeEscalations(metrics: Metrics, attempts: readonly CascadeAttempt[]): void {
  for (const [index, { rung: to }] of attempts.entries()) {
    const before = attempts[index - 1];
    if (!before || before.rung === to) continue;
    const labels = { from_rung: before.rung, to_rung: to, reason: before.errorClass ?? 'none' };
    metrics.escalations.inc(labels);
  }
}
