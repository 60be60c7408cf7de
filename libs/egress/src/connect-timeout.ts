import { HttpFetchError } from './http-fetch-error.js';

/** Runs one step under the signal and a bound of its own; past it throws `connect_timeout`. */
export async function withConnectTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (bounded: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const reason = new HttpFetchError('timeout', 'connect_timeout');
  const timer = setTimeout(() => controller.abort(reason), timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    // The abort is what failed the step, whatever the step called it.
    if (controller.signal.aborted && !signal.aborted) throw reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
