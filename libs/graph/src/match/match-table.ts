/** Why two records match or not: one field, how far it agrees, and the bits that this adds to the score. */
export interface MatchReason {
  readonly field: string;
  readonly level: string;
  /** Above 0: for a match; below 0: against it. */
  readonly weight: number;
}

export interface MatchResult {
  /** The sum of the reasons' weights. */
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly isMatch: boolean;
}

/** How far the values of one field agree. */
export interface Agreement<Level extends string> {
  readonly level: Level;
  /** Bits to add to the weight of the level: a rare value says more, one that many share says less. */
  readonly shift?: number;
}

/** One field of a table: how it is compared, and the weight of each level of agreement in bits. */
export interface FieldRule<Subject, Context> {
  readonly field: string;
  readonly weights: Readonly<Record<string, number>>;
  /** Undefined when a record has no value: that says nothing. Must give the same for (a, b) and (b, a). */
  compare(a: Subject, b: Subject, context: Context): Agreement<string> | undefined;
}

/**
 * A kind of records: its fields, and the score from which two records are one. A weight is the logarithm to base 2 of how
 * much more often that level occurs between records of one thing than between records of two (Fellegi and Sunter).
 */
export interface MatchTable<Subject, Context> {
  readonly fields: readonly FieldRule<Subject, Context>[];
  readonly threshold: number;
  /** Further reasons where fields depend on each other, so that one fact does not count twice. */
  correct?(
    reasons: ReadonlyMap<string, MatchReason>,
    pair: readonly [Subject, Subject],
    context: Context,
  ): readonly MatchReason[];
}

/** A rule whose levels all have a weight. */
export function fieldRule<Subject, Context, Level extends string>(rule: {
  readonly field: string;
  readonly weights: Readonly<Record<Level, number>>;
  compare(a: Subject, b: Subject, context: Context): Agreement<Level> | undefined;
}): FieldRule<Subject, Context> {
  return rule;
}

/** Compares two records field by field. */
export function scoreByTable<Subject, Context>(
  table: MatchTable<Subject, Context>,
  pair: readonly [Subject, Subject],
  context: Context,
): MatchResult {
  const [a, b] = pair;
  const byField = new Map<string, MatchReason>();
  for (const rule of table.fields) {
    const agreement = rule.compare(a, b, context);
    if (agreement === undefined) continue;
    const { level, shift = 0 } = agreement;
    byField.set(rule.field, {
      field: rule.field,
      level,
      weight: rounded((rule.weights[level] ?? 0) + shift),
    });
  }
  const reasons = [...byField.values(), ...(table.correct?.(byField, pair, context) ?? [])];
  const score = rounded(reasons.reduce((sum, { weight }) => sum + weight, 0));
  return { score, reasons, isMatch: score >= table.threshold };
}

/** Two digits: the same sum on every machine, and readable reasons. */
const rounded = (weight: number): number => Math.round(weight * 100) / 100;
