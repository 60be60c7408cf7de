/** The result did not arrive within its time limit. */
export class TookTooLongError extends Error {
  constructor(timeoutMs: number) {
    super(`No result within ${timeoutMs} ms`);
    this.name = 'TookTooLongError';
  }
}

/**
 * For results that a page can do without: a slow database must not delay a page that the result would only speed
 * up. The work itself continues; its result is ignored.
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
