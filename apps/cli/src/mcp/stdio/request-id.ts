const ID = '(\\d{1,15}|"[^"\\\\]{1,100}")';
/** The id is a member of the request itself: nothing but the version is before it, or nothing is after it. */
const AT_START = new RegExp(
  `^\\s{0,20}\\{\\s{0,20}(?:"jsonrpc"\\s{0,20}:\\s{0,20}"2\\.0"\\s{0,20},\\s{0,20})?"id"\\s{0,20}:\\s{0,20}${ID}`,
);
const AT_END = new RegExp(`"id"\\s{0,20}:\\s{0,20}${ID}\\s{0,20}\\}\\s{0,20}$`);

/** The id of a request of which only the ends are known; undefined if it is not at one of them. */
export function requestIdAtEnds(head: string, tail: string): string | number | undefined {
  const id = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1];
  if (id === undefined) return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
