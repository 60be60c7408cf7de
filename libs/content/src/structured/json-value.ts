/** A JSON object whose members have not been examined. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One step further in a JSON pointer (RFC 6901). */
export function below(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a JSON pointer points to; undefined when there is nothing. */
export function atPointer(root: unknown, pointer: string): unknown {
  if (pointer === '') return root;
  if (!pointer.startsWith('/')) return undefined;
  let value = root;
  for (const raw of pointer.slice(1).split('/')) {
    const token = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value))
      value = /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }
  return value;
}

/** Whether a value keeps within the given nesting and number of values. Iterative. */
export function isWithinLimits(root: unknown, maxDepth: number, maxValues: number): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (++seen > maxValues || next.depth > maxDepth) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const inner: readonly unknown[] = Object.values(next.value);
    if (inner.length > maxValues) return false;
    for (const value of inner) open.push({ value, depth: next.depth + 1 });
  }
  return true;
}

/** Whether there is anything in it beside structure (specification: a call that returns no data costs nothing). */
export function hasData(value: unknown): boolean {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === null || next === undefined || next === '') continue;
    if (typeof next !== 'object') return true;
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

/**
 * Whether no text of a JSON value, names of members included, has NUL or half of a surrogate pair: the database stores
 * neither, and neither has a form in an address.
 */
export function isStorable(value: unknown): boolean {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) for (const name of Object.keys(next)) waiting.push(name);
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return true;
}

/** The same text for equal values, whatever the order of their members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join()}}`;
}
