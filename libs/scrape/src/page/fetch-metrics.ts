import type { CascadeAttempt } from '@app/contracts';
import type { FetchedPage } from '@app/fetch';
import { recordSpan, type Metrics } from '@app/telemetry';
import type { PageResult } from './page-result.js';

const PHASES = {
  dnsMs: 'dns',
  connectMs: 'connect',
  tlsMs: 'tls',
  ttfbMs: 'ttfb',
  downloadMs: 'download',
  renderMs: 'render',
  actionsMs: 'actions',
  extractMs: 'extract',
} as const;

/** Records one attempt of a rung, as metrics and as a span. */
export function observeAttempt(
  metrics: Metrics,
  { rung, ok, errorClass, latencyMs }: CascadeAttempt,
  page: FetchedPage | null,
): void {
  const outcome = ok ? 'ok' : 'failed';
  metrics.attempts.inc({ rung, outcome, error_class: errorClass ?? 'none' });
  metrics.attemptSeconds.observe({ rung, outcome }, latencyMs / 1_000);
  recordSpan(`fetch ${rung}`, latencyMs / 1_000, {
    attributes: { 'trawl.rung': rung, ...(errorClass ? { 'error.type': errorClass } : {}) },
    failed: !ok,
  });
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

/** Failures of the service and of its providers; all others are the site's. */
const SERVICE_ERRORS: ReadonlySet<string> = new Set(['unknown', 'provider_error']);

/** Counts a fetched page by how it ended. */
export function observeFetch(metrics: Metrics, result: PageResult): void {
  const final = 'report' in result ? result.report.attempts.at(-1)?.rung : undefined;
  metrics.fetches.inc({ ...fetchEnd(result), final_rung: final ?? 'none' });
}

function fetchEnd(result: PageResult): {
  readonly outcome: 'succeeded' | 'failed' | 'blocked';
  readonly error_origin: 'none' | 'target' | 'service';
} {
  if (result.kind === 'blocked') return { outcome: 'blocked', error_origin: 'target' };
  if (result.kind !== 'failed') return { outcome: 'succeeded', error_origin: 'none' };
  const { errorClass } = result;
  const outcome = errorClass === 'blocked' || errorClass === 'robots' ? 'blocked' : 'failed';
  return { outcome, error_origin: SERVICE_ERRORS.has(errorClass) ? 'service' : 'target' };
}
