import { BrowserLostError, PageTimeoutError } from './browser-errors.js';
import { type ChromiumProcess, withinBound } from './chromium-process.js';

const DISCONNECT_NOTICE_MS = 1_000;

/** The task's promise, ended early by its deadline, its signal or the loss of its browser. */
export async function raceTask<T>(
  task: Promise<T>,
  chromium: ChromiumProcess,
  boundMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted === true) giveUp();
  const lost = rejectWhenLost(chromium, 'working');
  const first = Promise.race([task, aborted.promise, lost]);
  // Heard or not, none of them may end the process later.
  for (const one of [task, aborted.promise, lost]) one.catch(() => undefined);
  try {
    return await withinBound(first, boundMs, () => new PageTimeoutError());
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

export async function rejectWhenLost(
  chromium: ChromiumProcess,
  phase: BrowserLostError['phase'],
): Promise<never> {
  await chromium.lost;
  throw chromium.lostError(phase);
}

/** The page's error often comes before the news of why the browser went. */
export async function lostError(
  chromium: ChromiumProcess,
  phase: BrowserLostError['phase'],
  cause: unknown,
): Promise<BrowserLostError> {
  const late = () => new Error('No news of the browser');
  // Without news it counts as disconnected.
  await withinBound(chromium.lost, DISCONNECT_NOTICE_MS, late).catch(() => undefined);
  return chromium.lostError(phase, cause);
}
