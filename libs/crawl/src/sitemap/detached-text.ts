/** A copy: a piece of a larger string would keep all of that in memory. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}
