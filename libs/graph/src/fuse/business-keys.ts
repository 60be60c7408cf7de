import type { BusinessEvidence } from '../evidence/facts.js';

/** What a business is found by, strongest first (specification: Company record, `_resolved_by`). */
export const KEY_KINDS = ['domain', 'uei', 'license', 'phone'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface BusinessKey {
  readonly kind: KeyKind;
  readonly value: string;
}

type KeyFact = Pick<BusinessEvidence, 'field' | 'value'> & { readonly lastSeen?: Date };

const timeOf = ({ lastSeen }: KeyFact): number => lastSeen?.getTime() ?? 0;

const IS_KEY: ReadonlySet<string> = new Set(KEY_KINDS);
/** Of one kind: a source that lists a thousand numbers is not found by each of them. */
const MAX_KEYS = 20;

/** The keys that evidence states, the most recent ones of each kind. */
export function keysOf(facts: readonly KeyFact[]): readonly BusinessKey[] {
  const recent = facts
    .filter(({ field }) => IS_KEY.has(field))
    .toSorted(
      (a, b) => timeOf(b) - timeOf(a) || String(a.value).localeCompare(String(b.value), 'en'),
    );
  const byKind = Map.groupBy(recent, ({ field }) => field as KeyKind);
  return [...byKind].flatMap(([kind, rows]) =>
    [...new Set(rows.map(({ value }) => String(value)))]
      .slice(0, MAX_KEYS)
      .map((value) => ({ kind, value })),
  );
}
