import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { createAjv } from '@app/content';
import type { ObjectSchema } from './connector.js';

/** Says what is wrong with a value; null: nothing. */
export type ValueCheck = (value: unknown) => string | null;

let ajv: Ajv2020 | undefined;

/** One for all schemas: compiling the schema of schemas takes it 0.4 s. */
function schemas(): Ajv2020 {
  ajv ??= createAjv((formats) => ({
    ...{ strict: false, allErrors: false, formats },
    // See assertSchema. Schemas of two modules may have the same $id.
    ...{ validateSchema: false, addUsedSchema: false },
  }));
  return ajv;
}

/**
 * A check by a schema of a connector, which is compiled for the first value. Schemas come from this program and from modules
 * of the operator, never from a caller.
 */
export function checkOf(schema: ObjectSchema): ValueCheck {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= schemas().compile(schema);
    return compiled(value) ? null : problemOf(compiled.errors?.[0]);
  };
}

/** @throws Error if it is no JSON Schema, or cannot be compiled */
export function assertSchema(schema: ObjectSchema): void {
  void schemas().validateSchema(schema, true);
  schemas().compile(schema);
}

function problemOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'does not match the schema';
  const { instancePath, keyword, params, message = 'is invalid' } = error;
  const name = instancePath.split('/').slice(1).join('.');
  if (keyword === 'additionalProperties')
    return `has the unknown field \`${String((params as { additionalProperty?: unknown }).additionalProperty)}\``;
  return name === '' ? message : `\`${name}\` ${message}`;
}
