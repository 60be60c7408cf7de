import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { ObjectSchema } from './connector.js';

/** Says what is wrong with a value; null: nothing. */
export type ValueCheck = (value: unknown) => string | null;

/**
 * Compiles a schema of a connector. Schemas come from this program and from modules of the operator, never from a caller.
 * @throws Error if it is no JSON Schema
 */
export function checkOf(schema: ObjectSchema): ValueCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats: fullFormats });
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? null : problemOf(validate.errors?.[0]));
}

function problemOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'does not match the schema';
  const { instancePath, keyword, params, message = 'is invalid' } = error;
  const name = instancePath.split('/').slice(1).join('.');
  if (keyword === 'additionalProperties')
    return `has the unknown field \`${String((params as { additionalProperty?: unknown }).additionalProperty)}\``;
  return name === '' ? message : `\`${name}\` ${message}`;
}
