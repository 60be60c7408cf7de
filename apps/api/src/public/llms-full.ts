import type { OpenAPIObject } from '@nestjs/swagger';
import {
  documentedObjects,
  documentedOperations,
  documentedErrors,
  isForClients,
  objectNameOf,
  operationTitle,
  type DocumentedContent,
  type DocumentedOperation,
  type DocumentedParameter,
  type DocumentedSchema,
} from './documented-operations.js';
import { curlExample } from './operation-example.js';

type Objects = Readonly<Record<string, DocumentedSchema>>;

/** Describes every operation and object of the OpenAPI document: fields, responses, errors and an example. */
export function describeOperations(document: OpenAPIObject, address: string): string {
  const objects = documentedObjects(document);
  const operations = documentedOperations(document).map((operation) =>
    describeOperation(operation, objects, address),
  );
  return [
    '# Endpoints',
    ...operations,
    '# Objects',
    ...Object.entries(objects).map(([name, schema]) => describeObject(name, schema)),
  ].join('\n\n');
}

function describeOperation(
  operation: DocumentedOperation,
  objects: Objects,
  address: string,
): string {
  const { summary, description, needsKey, operationId } = operation;
  return [
    `## ${operationTitle(operation)}`,
    `${summary}.${description ? ` ${description}` : ''}`,
    `Operation \`${operationId}\`. ${needsKey ? 'Needs a key.' : 'Public: needs no key.'}`,
    ...parameters(operation.parameters),
    ...Object.entries(operation.body).map(([type, content]) =>
      requestBody(type, content, { objects, needsBody: operation.needsBody }),
    ),
    section('Responses', answers(operation)),
    section('Errors', apiErrors(operation)),
    ...(isForClients(operation) ? [exampleOf(operation, address)] : []),
  ].join('\n\n');
}

function exampleOf(operation: DocumentedOperation, address: string): string {
  return `Example:\n\n\`\`\`sh\n${curlExample(operation, address)}\n\`\`\``;
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n\n${lines.join('\n')}`;
}

function parameters(list: readonly DocumentedParameter[]): readonly string[] {
  return list.length === 0 ? [] : [section('Parameters', list.map(parameterLine))];
}

function parameterLine(parameter: DocumentedParameter): string {
  const { name, in: place, required, schema = {}, description } = parameter;
  const facts = [
    `in ${place}`,
    typeText(schema),
    ...(required ? ['required'] : []),
    ...boundsOf(schema),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
  return `- \`${name}\` (${facts.join(', ')})${description ? `: ${description}` : ''}`;
}

function requestBody(
  type: string,
  { schema = {} }: DocumentedContent,
  { objects, needsBody }: { readonly objects: Objects; readonly needsBody: boolean },
): string {
  const name = objectNameOf(schema);
  const fields = fieldLines((name === null ? undefined : objects[name]) ?? schema);
  return section(
    `Body (${type}${needsBody ? '' : ', optional'})`,
    fields.length === 0 ? [`- ${typeText(schema)}`] : fields,
  );
}

function answers({ responses }: DocumentedOperation): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const kinds = Object.entries(content).map(([type, { schema }]) =>
        schema ? `${typeText(schema)} as ${type}` : type,
      );
      const text = [kinds.join(', '), description].filter((part) => part !== '').join('. ');
      return `- ${status}: ${text || 'nothing'}`;
    });
}

function apiErrors(operation: DocumentedOperation): readonly string[] {
  return documentedErrors(operation).flatMap(([status, texts]) =>
    texts.map(
      (text) => `- ${status}: ${text === '{problem}' ? 'a text that describes the problem' : text}`,
    ),
  );
}

function describeObject(name: string, schema: DocumentedSchema): string {
  const lines = fieldLines(schema);
  return `## ${name}\n\n${lines.length === 0 ? typeText(schema) : lines.join('\n')}`;
}

/** The type of a value, in words. */
function typeText(schema: DocumentedSchema): string {
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
function fieldLines(schema: DocumentedSchema, indent = ''): readonly string[] {
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
function boundsOf(schema: DocumentedSchema): readonly string[] {
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
