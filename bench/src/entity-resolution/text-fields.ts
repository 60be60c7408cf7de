import { type Agreement, fieldRule, type FieldRule, isMisspelling } from '@app/graph';

/** same: equal. close: a typing mistake. different: neither. */
export type TextLevel = 'same' | 'close' | 'different';

export function textLevel(one: string, other: string): TextLevel {
  if (one === other) return 'same';
  return isMisspelling(one, other) ? 'close' : 'different';
}

/** A field of short text. An empty one says nothing. */
export function shortTextField<Subject>(
  field: string,
  of: (subject: Subject) => string,
  weights: Readonly<Record<TextLevel, number>>,
  levelOf: (one: string, other: string) => TextLevel = textLevel,
): FieldRule<Subject, unknown> {
  return fieldRule<Subject, unknown, TextLevel>({
    field,
    weights,
    compare: (a, b): Agreement<TextLevel> | undefined => {
      const [one, other] = [of(a), of(b)];
      return one === '' || other === '' ? undefined : { level: levelOf(one, other) };
    },
  });
}
