import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { isStorable } from '@app/content';

/** Validation rule and documentation of a request field in one place, so they cannot diverge. */
interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  readonly required?: boolean;
}

/** Longest URL a request may contain; the frontier stores none longer. */
export const MAX_REQUEST_URL_CHARS = 2_048;

function documented(options: FieldOptions, schema: ApiPropertyOptions): PropertyDecorator {
  const { description, example, required } = options;
  const all = {
    ...schema,
    description,
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  if (required) return ApiProperty(all);
  // Null means not set, as with `IsOptional`.
  return applyDecorators(
    IsOptional(),
    ApiPropertyOptional({ ...all, nullable: true } as ApiPropertyOptions),
  );
}

export function UrlField(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    IsString({ message: '`$property` must be a string' }),
    MinLength(1, { message: '`$property` is empty' }),
    MaxLength(MAX_REQUEST_URL_CHARS, {
      message: `\`$property\` is longer than ${MAX_REQUEST_URL_CHARS} characters`,
    }),
    documented(options, { type: String, format: 'uri', maxLength: MAX_REQUEST_URL_CHARS }),
  );
}

export function BooleanField(
  options: FieldOptions & { readonly fallback: boolean },
): PropertyDecorator {
  return applyDecorators(
    IsBoolean({ message: '`$property` must be true or false' }),
    documented(options, { type: Boolean, default: options.fallback }),
  );
}

export function IntegerField(
  options: FieldOptions & {
    readonly min: number;
    readonly max?: number;
    readonly fallback?: number;
  },
): PropertyDecorator {
  const { min, max, fallback } = options;
  return applyDecorators(
    IsInt({ message: '`$property` must be a whole number' }),
    Min(min, { message: `\`$property\` must be at least ${min}` }),
    ...(max === undefined ? [] : [Max(max, { message: `\`$property\` must be at most ${max}` })]),
    documented(options, {
      type: 'integer',
      minimum: min,
      ...(max === undefined ? {} : { maximum: max }),
      ...(fallback === undefined ? {} : { default: fallback }),
    }),
  );
}

export function NumberField(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  return applyDecorators(
    IsNumber({}, { message: '`$property` must be a number' }),
    Min(min, { message: `\`$property\` must be at least ${min}` }),
    Max(max, { message: `\`$property\` must be at most ${max}` }),
    documented(options, { type: 'number', minimum: min, maximum: max }),
  );
}

export function ChoiceField(
  options: FieldOptions & { readonly choices: readonly string[]; readonly fallback?: string },
): PropertyDecorator {
  const { choices, fallback } = options;
  return applyDecorators(
    IsIn(choices, { message: `\`$property\` must be one of ${choices.join(', ')}` }),
    documented(options, {
      type: 'string',
      enum: [...choices],
      ...(fallback === undefined ? {} : { default: fallback }),
    } as ApiPropertyOptions),
  );
}

export const UNSTORABLE = 'holds characters that cannot be stored';

/** A text that can be stored. */
export function Storable(): PropertyDecorator {
  return ValidateBy({
    name: 'isStorable',
    validator: {
      validate: isStorable,
      defaultMessage: () => `\`$property\` ${UNSTORABLE}`,
    },
  });
}

export function TextField(
  options: FieldOptions & { readonly maxChars: number },
): PropertyDecorator {
  const { maxChars } = options;
  return applyDecorators(
    IsString({ message: '`$property` must be a string' }),
    MaxLength(maxChars, { message: `\`$property\` is longer than ${maxChars} characters` }),
    Storable(),
    documented(options, { type: String, maxLength: maxChars }),
  );
}

const STATE = '^\\s*(?:[A-Za-z]{2}\\s*)?$';

/** A state of the US or Canada; blank: none. */
export function StateField(): PropertyDecorator {
  return applyDecorators(
    IsString({ message: '`$property` must be a string' }),
    Matches(new RegExp(STATE), { message: '`$property` must be two letters, such as TX' }),
    documented({ description: 'Two letters.', example: 'TX' }, { type: String, pattern: STATE }),
  );
}

/** A field that its own parser validates, after the body's shape was checked. */
export function ParsedField(
  options: FieldOptions & { readonly schema: ApiPropertyOptions },
): PropertyDecorator {
  return applyDecorators(Allow(), documented(options, options.schema));
}

/** A JSON Schema, parsed by `parseSchema`. */
export function SchemaField(description: string): PropertyDecorator {
  return ParsedField({
    description: `JSON Schema (2020-12): ${description}`,
    schema: { type: 'object', additionalProperties: true },
    example: { type: 'object', properties: { price: { type: 'number' } } },
  });
}

/** An object among names. */
export interface ObjectChoice {
  readonly schema: object;
  /** What is wrong with an entry that is no string; null: nothing. */
  readonly problem: (entry: unknown) => string | null;
}

export function ChoicesField(
  options: FieldOptions & {
    readonly choices: readonly string[];
    readonly fallback?: readonly string[];
    /** Besides names. */
    readonly object?: ObjectChoice;
  },
): PropertyDecorator {
  const { choices, fallback, object } = options;
  const names = { type: 'string' as const, enum: [...choices] };
  const most = choices.length + (object ? 1 : 0);
  const problemOf = (entry: unknown): string | null =>
    object && typeof entry !== 'string' ? object.problem(entry) : null;
  return applyDecorators(
    IsArray({ message: '`$property` must be an array' }),
    ArrayMinSize(1, {
      message: `\`$property\` is empty: name at least one of ${choices.join(', ')}`,
    }),
    ArrayMaxSize(most, { message: `\`$property\` may hold at most ${most} values` }),
    Entries(
      (entry) =>
        object && typeof entry !== 'string'
          ? problemOf(entry) === null
          : choices.some((choice) => choice === entry),
      (entry) =>
        problemOf(entry) ??
        `\`$property\` holds an unsupported value; supported values are ${choices.join(', ')}`,
    ),
    documented(options, {
      type: 'array',
      items: object ? { anyOf: [names, object.schema] } : names,
      minItems: 1,
      maxItems: most,
      ...(fallback ? { default: [...fallback] } : {}),
    } as ApiPropertyOptions),
  );
}

/** Every entry of an array must pass; the message is about the first that does not. */
function Entries(
  passes: (entry: unknown) => boolean,
  message: (entry: unknown) => string,
): PropertyDecorator {
  const failing = (value: unknown): unknown =>
    Array.isArray(value) ? value.find((entry: unknown) => !passes(entry)) : undefined;
  return ValidateBy({
    name: `entries_${entryRules++}`,
    validator: {
      validate: (value: unknown) => failing(value) === undefined,
      defaultMessage: (args) => message(failing(args?.value)),
    },
  });
}

let entryRules = 0;

export function TextsField(
  options: FieldOptions & {
    readonly maxItems: number;
    readonly maxChars: number;
    /** Returns the problem of an entry, or null. */
    readonly problem: (text: string) => string | null;
  },
): PropertyDecorator {
  const { maxItems, maxChars, problem } = options;
  return applyDecorators(
    IsArray({ message: '`$property` must be an array of strings' }),
    ArrayMaxSize(maxItems, { message: `\`$property\` may hold at most ${maxItems} entries` }),
    IsString({ each: true, message: '`$property` must be an array of strings' }),
    Entries(isStorable, () => `an entry of \`$property\` ${UNSTORABLE}`),
    Entries(
      (text) => typeof text !== 'string' || problem(text) === null,
      (text) => `an entry of \`$property\` ${problem(String(text))}`,
    ),
    MaxLength(maxChars, {
      each: true,
      message: `an entry of \`$property\` is longer than ${maxChars} characters`,
    }),
    documented(options, {
      type: 'array',
      items: { type: 'string', maxLength: maxChars },
      maxItems,
    } as ApiPropertyOptions),
  );
}
