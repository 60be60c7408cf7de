import { objectNameOf, type DocumentedSchema } from './documented-operations.js';

/** The type of a value, in words. */
export function typeText(schema: DocumentedSchema): string {
  const name = objectNameOf(schema);
  if (name !== null) return name;
  const parts = schema.anyOf ?? schema.allOf;
  if (parts && !schema.properties) return parts.map(typeText).join(' or ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return [schema.type ?? 'any value']
    .flat()
    .map((type) => plainType(type, schema))
    .join(' or ');
}

function plainType(type: string, schema: DocumentedSchema): string {
  switch (type) {
    case 'array':
      return `array of ${schema.items ? typeText(schema.items) : 'any value'}`;
    case 'object':
      return mapType(schema);
    case 'string':
      return schema.format ? `string (${schema.format})` : type;
    default:
      return type;
  }
}

function mapType({ additionalProperties }: DocumentedSchema): string {
  return typeof additionalProperties === 'object'
    ? `object of ${typeText(additionalProperties)} by name`
    : 'object';
}

/** One line per field; the fields of anonymous objects follow indented. */
export function fieldLines(schema: DocumentedSchema, indent = ''): readonly string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${indent}- ${fieldText(name, field, required.has(name))}`,
    ...fieldLines(unnamedObjectIn(field), `${indent}  `),
  ]);
}

function fieldText(name: string, field: DocumentedSchema, isRequired: boolean): string {
  const facts = [
    typeText(field),
    ...(isRequired ? ['required'] : []),
    ...boundsOf(field),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
  ];
  return `\`${name}\` (${facts.join(', ')})${field.description ? `: ${field.description}` : ''}`;
}

/** Limits beyond the type. */
export function boundsOf(schema: DocumentedSchema): readonly string[] {
  const { minimum, maximum, maxLength, maxItems } = schema;
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
  ];
}

const NOTHING: DocumentedSchema = {};

function unnamedObjectIn(schema: DocumentedSchema): DocumentedSchema {
  if (schema.properties) return schema;
  return schema.items?.properties ? schema.items : NOTHING;
}
