import { isDeepStrictEqual } from 'node:util';

/** A field of a row before and after; null: it is missing. */
export interface FieldChange {
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that differ between two rows, by name. The order of keys inside a field means nothing. */
export function fieldDiff(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, FieldChange>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }] as const)
      .filter(([, { before: old, after: young }]) => !isDeepStrictEqual(old, young)),
  );
}
