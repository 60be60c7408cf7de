/** The promise's value, or `late()` thrown once `boundMs` have passed; what comes after is dropped. */
export async function withinBound<T>(
  promise: Promise<T>,
  boundMs: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), boundMs);
  });
  try {
    return await Promise.race([promise, bound]);
  } finally {
    clearTimeout(timer);
  }
}
