import { errorCode } from '@app/contracts';
import { BlobNotFoundError, BlobUnavailableError } from './blob-errors.js';
import { StorageBusyError } from './s3-transport.js';

const RETRY_DELAYS_MS = [100, 300, 900] as const;
const CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const MISSING_CODES = new Set(['NoSuchKey', 'NotFound', 'NoSuchBucket']);

/**
 * Retries with growing delays while the store is busy or unreachable; a kept connection that the store has
 * closed looks the same. Only for idempotent requests.
 * @throws BlobUnavailableError | BlobNotFoundError
 */
export async function retrying<T>(
  what: string,
  attempt: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(tries);
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[tries];
      if (!isTransient(error) || delayMs === undefined) throw translated(error, what);
      await new Promise((resolve) => setTimeout(resolve, delayMs * (0.5 + Math.random())));
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof StorageBusyError || CONNECTION_CODES.has(errorCode(error));
}

function translated(error: unknown, what: string): unknown {
  if (isTransient(error)) {
    return new BlobUnavailableError(`Blob store: ${what}: ${messageOf(error)}`, { cause: error });
  }
  if (MISSING_CODES.has(errorCode(error)))
    return new BlobNotFoundError(`No blob ${what}`, { cause: error });
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
