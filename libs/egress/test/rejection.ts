/** The error a promise rejects with; fails the test when it resolves. */
export async function rejection<T extends Error>(
  promise: Promise<unknown>,
  type: abstract new (...args: never[]) => T,
): Promise<T> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof type) return outcome;
  throw new Error(`expected a ${type.name}, got ${String(outcome)}`, { cause: outcome });
}
