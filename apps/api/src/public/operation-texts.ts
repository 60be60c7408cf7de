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

/** Operations that share the first part of their path. */
export interface OperationGroup {
  /** That part, as `crawl`; of the compatibility set `v2`. */
  readonly name: string;
  readonly operations: readonly DocumentedOperation[];
}

export interface OperationWords {
  /** Base URL of the service. */
  readonly address: string;
  /** How the name of an object is written, for one a link to its description. @default plain */
  readonly nameText?: (name: string) => string;
}

const plain = (name: string): string => name;

/** Describes operations and objects of the OpenAPI document as Markdown: fields, responses, errors and an example. */
export class OperationTexts {
  private readonly objects: Readonly<Record<string, DocumentedSchema>>;
  private readonly operations: readonly DocumentedOperation[];
  private readonly address: string;
  private readonly nameText: (name: string) => string;

  constructor(document: OpenAPIObject, { address, nameText = plain }: OperationWords) {
    this.objects = documentedObjects(document);
    this.operations = documentedOperations(document);
    this.address = address;
    this.nameText = nameText;
  }

  /** All of them. */
  whole(): string {
    return [
      '# Endpoints',
      ...this.operations.map((operation) => this.operation(operation)),
      '# Objects',
      ...Object.keys(this.objects).map((name) => this.object(name)),
    ].join('\n\n');
  }

  groups(): readonly OperationGroup[] {
    const groups = Map.groupBy(this.operations, groupOf);
    return [...groups].map(([name, operations]) => ({ name, operations }));
  }

  /** A group, with the objects that its operations refer to. */
  group({ name, operations }: OperationGroup): string {
    const objects = [...this.objectsIn(operations)].sort();
    return [
      `# ${name}`,
      ...operations.map((operation) => this.operation(operation)),
      ...objects.map((object) => this.object(object)),
    ].join('\n\n');
  }

  private operation(operation: DocumentedOperation): string {
    const { summary, description, needsKey, operationId } = operation;
    return [
      `## ${operationTitle(operation)}`,
      `${summary}.${description ? ` ${description}` : ''}`,
      `Operation \`${operationId}\`. ${needsKey ? 'Needs a key.' : 'Public: needs no key.'}`,
      ...this.parameters(operation.parameters),
      ...Object.entries(operation.body).map(([type, content]) =>
        this.requestBody(type, content, operation.needsBody),
      ),
      section('Responses', this.responses(operation)),
      section('Errors', apiErrors(operation)),
      ...(isForClients(operation) ? [exampleOf(operation, this.address)] : []),
    ].join('\n\n');
  }

  private object(name: string): string {
    const schema = this.objects[name] ?? NOTHING;
    const lines = this.fieldLines(schema);
    return `## ${name}\n\n${lines.length === 0 ? this.typeText(schema) : lines.join('\n')}`;
  }

  private parameters(list: readonly DocumentedParameter[]): readonly string[] {
    if (list.length === 0) return [];
    return [
      section(
        'Parameters',
        list.map((one) => this.parameterLine(one)),
      ),
    ];
  }

  private parameterLine(parameter: DocumentedParameter): string {
    const { name, in: place, required = false, schema = {}, description } = parameter;
    const facts = [`in ${place}`, ...this.factsOf(schema, required)];
    return `- \`${name}\` (${facts.join(', ')})${description ? `: ${description}` : ''}`;
  }

  private requestBody(type: string, { schema = {} }: DocumentedContent, isNeeded: boolean): string {
    const fields = this.fieldLines(this.named(schema) ?? schema);
    return section(
      `Body (${type}${isNeeded ? '' : ', optional'})`,
      fields.length === 0 ? [`- ${this.typeText(schema)}`] : fields,
    );
  }

  /** What a reference stands for. */
  private named(schema: DocumentedSchema): DocumentedSchema | undefined {
    const name = objectNameOf(schema);
    return name === null ? undefined : this.objects[name];
  }

  private responses({ responses }: DocumentedOperation): readonly string[] {
    return Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content = {} }]) => {
        const kinds = Object.entries(content).map(([type, { schema }]) =>
          schema ? `${this.typeText(schema)} as ${type}` : type,
        );
        const text = [kinds.join(', '), description].filter((part) => part !== '').join('. ');
        return `- ${status}: ${text || 'nothing'}`;
      });
  }

  /** The type of a value, in words. */
  private typeText(schema: DocumentedSchema): string {
    const name = objectNameOf(schema);
    if (name !== null) return this.nameText(name);
    const parts = schema.anyOf ?? schema.allOf;
    if (parts && !schema.properties) return parts.map((part) => this.typeText(part)).join(' or ');
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    return [schema.type ?? 'any value']
      .flat()
      .map((type) => this.plainType(type, schema))
      .join(' or ');
  }

  private plainType(type: string, schema: DocumentedSchema): string {
    const { items, additionalProperties, format } = schema;
    switch (type) {
      case 'array':
        return `array of ${items ? this.typeText(items) : 'any value'}`;
      case 'object':
        return typeof additionalProperties === 'object'
          ? `object of ${this.typeText(additionalProperties)} by name`
          : 'object';
      case 'string':
        return format ? `string (${format})` : type;
      default:
        return type;
    }
  }

  /** One line per field; the fields of anonymous objects follow indented. */
  private fieldLines(schema: DocumentedSchema, indent = ''): readonly string[] {
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      `${indent}- ${this.fieldText(name, field, required.has(name))}`,
      ...this.fieldLines(unnamedObjectIn(field), `${indent}  `),
    ]);
  }

  private fieldText(name: string, field: DocumentedSchema, isRequired: boolean): string {
    const facts = this.factsOf(field, isRequired).join(', ');
    return `\`${name}\` (${facts})${field.description ? `: ${field.description}` : ''}`;
  }

  private factsOf(schema: DocumentedSchema, isRequired: boolean): readonly string[] {
    return [
      this.typeText(schema),
      ...(isRequired ? ['required'] : []),
      ...boundsOf(schema),
      ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ];
  }

  /** The names of the objects of requests and responses, and of those within them. */
  private objectsIn(operations: readonly DocumentedOperation[]): ReadonlySet<string> {
    const found = new Set<string>();
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const name = objectNameOf(value);
      if (name !== null && this.objects[name] && !found.has(name)) {
        found.add(name);
        look(this.objects[name]);
      }
      Object.values(value).forEach(look);
    };
    for (const { parameters, body, responses } of operations) {
      look(parameters);
      // The fields of a body are shown with its operation.
      for (const { schema = {} } of Object.values(body)) look(this.named(schema) ?? schema);
      for (const [status, response] of Object.entries(responses))
        if (Number(status) < 400) look(response);
    }
    return found;
  }
}

const VERSION_AND_FIRST = /^\/v1\/([^/]+)/;

function groupOf({ path }: DocumentedOperation): string {
  if (path.startsWith('/v2/')) return 'v2';
  return VERSION_AND_FIRST.exec(path)?.[1] ?? 'service';
}

function exampleOf(operation: DocumentedOperation, address: string): string {
  return `Example:\n\n\`\`\`sh\n${curlExample(operation, address)}\n\`\`\``;
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n\n${lines.join('\n')}`;
}

function apiErrors(operation: DocumentedOperation): readonly string[] {
  return documentedErrors(operation).flatMap(([status, texts]) =>
    texts.map(
      (text) => `- ${status}: ${text === '{problem}' ? 'a text that describes the problem' : text}`,
    ),
  );
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
