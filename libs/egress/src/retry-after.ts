/**
 * Retry-After in milliseconds from now (RFC 9110, 10.2.3: seconds or a date), rounded up; null when
 * absent or unreadable. Fractions of seconds are no part of the RFC, but servers send them.
 */
export function parseRetryAfter(
  value: string | readonly string[] | undefined,
  nowMs: number,
): number | null {
  const text = String(value ?? '').trim();
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  // Date.parse reads many a number as a year; an HTTP date names its day and month.
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
