import { BlobNotFoundError, BlobUnavailableError } from './blob-errors.js';

export type BlobOperation = 'put' | 'get' | 'head' | 'delete';
export type BlobOutcome = 'ok' | 'not_found' | 'unavailable' | 'error';

/** Called for metrics. Must be fast and must not throw. */
export interface BlobStoreEvents {
  operation?(operation: BlobOperation, outcome: BlobOutcome, seconds: number): void;
  /** Bytes of a finished put, or of a get that begins. */
  transferred?(operation: BlobOperation, bytes: number): void;
}

/** Runs the work and reports its result. A get is timed until its first byte can be read. */
export async function observed<T>(
  events: BlobStoreEvents,
  operation: BlobOperation,
  work: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const report = (outcome: BlobOutcome): void =>
    events.operation?.(operation, outcome, (performance.now() - startedMs) / 1000);
  try {
    const result = await work();
    report('ok');
    return result;
  } catch (error) {
    report(outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): BlobOutcome {
  if (error instanceof BlobNotFoundError) return 'not_found';
  return error instanceof BlobUnavailableError ? 'unavailable' : 'error';
}
