const lastOf = new WeakMap<object, Promise<unknown>>();

/**
 * Takes large pictures of a browser one after the other: each makes its processes hold up to 900 MB, and while one is
 * taken the browser may respond to nothing else. Those that wait hold page slots, of which each tenant has a share.
 */
export function inPictureTurn<T>(browser: object, take: () => Promise<T>): Promise<T> {
  const work = (lastOf.get(browser) ?? Promise.resolve()).then(take);
  const end: Promise<unknown> = work
    .catch(() => undefined)
    .then(() => lastOf.get(browser) === end && lastOf.delete(browser));
  lastOf.set(browser, end);
  return work;
}

export const isTakingPicture = (browser: object): boolean => lastOf.has(browser);
