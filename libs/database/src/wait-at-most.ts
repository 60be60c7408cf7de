/** The answer did not come in the time it was worth waiting for. */
export class TookTooLongError extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TookTooLongError';
  }
}

/**
 * For answers that a page can do without: a database that is slow must not hold up what it was only
 * to speed up. The work itself goes on; how it ends later is of no interest.
 * @throws TookTooLongError
 */
export async function waitAtMost<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLongError(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
