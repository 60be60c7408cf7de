/** One setting: its variable, meaning, default and rule, side by side. */
export interface Field<T> {
  readonly env: string;
  readonly meaning: string;
  /** Undefined: the setting has no default; `meaning` says what happens then. */
  readonly fallback: T | undefined;
  readonly isSecret: boolean;
  /** Throws an Error with the rule when the text breaks it. */
  readonly parse: (text: string) => T;
}

interface FieldOptions<T> {
  readonly fallback?: T;
  readonly isSecret?: boolean;
}

function field<T>(
  env: string,
  meaning: string,
  parse: (text: string) => T,
  options: FieldOptions<T> = {},
): Field<T> {
  return { env, meaning, parse, fallback: options.fallback, isSecret: options.isSecret ?? false };
}

export function text(
  env: string,
  meaning: string,
  options: FieldOptions<string> = {},
): Field<string> {
  return field(env, meaning, (value) => value, options);
}

export function integer(
  env: string,
  meaning: string,
  options: FieldOptions<number> & { readonly min: number; readonly max: number },
): Field<number> {
  const { min, max } = options;
  const parse = (value: string): number => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };
  return field(env, meaning, parse, options);
}

/** A number from 0 to 1. */
export function fraction(
  env: string,
  meaning: string,
  options: FieldOptions<number>,
): Field<number> {
  const parse = (value: string): number => {
    const number = value.trim() === '' ? NaN : Number(value);
    if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1');
    return number;
  };
  return field(env, meaning, parse, options);
}

export function flag(env: string, meaning: string, options: FieldOptions<boolean>): Field<boolean> {
  const parse = (value: string): boolean => {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw new Error('must be true or false');
  };
  return field(env, meaning, parse, options);
}

export function oneOf<const T extends string>(
  env: string,
  meaning: string,
  values: readonly T[],
  options: FieldOptions<T> = {},
): Field<T> {
  const parse = (value: string): T => {
    const known = values.find((candidate) => candidate === value);
    if (known === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return known;
  };
  return field(env, meaning, parse, options);
}

/** A comma-separated selection of `values`, each at most once; empty text is an empty list. */
export function listOf<const T extends string>(
  env: string,
  meaning: string,
  values: readonly T[],
  options: FieldOptions<readonly T[]>,
): Field<readonly T[]> {
  const parse = (value: string): readonly T[] => {
    const words = value.split(',').map((word) => word.trim());
    const known = words.flatMap((word) => values.find((candidate) => candidate === word) ?? []);
    if (value.trim() === '') return [];
    if (known.length !== words.length || new Set(known).size !== known.length) {
      throw new Error(`must be a comma-separated list of ${values.join(', ')}, each once`);
    }
    return known;
  };
  return field(env, meaning, parse, options);
}

/** A URL with one of the schemes in `schemes` (with their colon). */
export function address(
  env: string,
  meaning: string,
  schemes: readonly string[],
  options: FieldOptions<string> = {},
): Field<string> {
  const parse = (value: string): string => {
    const scheme = schemes.find((candidate) => value.startsWith(candidate));
    if (scheme === undefined || !URL.canParse(value)) {
      throw new Error(`must be an address that begins with ${schemes.join(' or ')}`);
    }
    return value;
  };
  return field(env, meaning, parse, options);
}

/** Text checked by a parser of another library, which throws with the rule. */
export function checked(
  env: string,
  meaning: string,
  check: (value: string) => unknown,
  options: FieldOptions<string> = {},
): Field<string> {
  const parse = (value: string): string => {
    check(value);
    return value;
  };
  return field(env, meaning, parse, options);
}
