import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of a schema that are read (JSON Schema 2020-12). */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | DocumentedSchema;
  readonly items?: DocumentedSchema;
  readonly anyOf?: readonly DocumentedSchema[];
  readonly allOf?: readonly DocumentedSchema[];
  readonly if?: DocumentedSchema;
  readonly then?: DocumentedSchema;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: DocumentedSchema;
}

export interface DocumentedContent {
  readonly schema?: DocumentedSchema;
  readonly example?: unknown;
}

/** One method on one path of the OpenAPI document. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly needsKey: boolean;
  readonly parameters: readonly DocumentedParameter[];
  /** By media type. */
  readonly body: Readonly<Record<string, DocumentedContent>>;
  /** False: the body is optional. */
  readonly needsBody: boolean;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, DocumentedContent>>;
      }
    >
  >;
}

interface RawOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: DocumentedOperation['body'];
  };
  readonly responses: DocumentedOperation['responses'];
}

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** Every operation, by path and method. */
export function documentedOperations({ paths }: OpenAPIObject): readonly DocumentedOperation[] {
  const items = paths as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const operations = Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, raw]) => operationOf(method, path, raw as RawOperation)),
  );
  return operations.sort((one, other) => compare(keyOf(one), keyOf(other)));
}

function operationOf(method: string, path: string, raw: RawOperation): DocumentedOperation {
  return {
    method: method.toUpperCase(),
    path,
    operationId: raw.operationId ?? '',
    summary: raw.summary ?? '',
    ...(raw.description ? { description: raw.description } : {}),
    needsKey: (raw.security ?? []).length > 0,
    // Referenced parameters are the same on every operation.
    parameters: (raw.parameters ?? []).filter((one) => !('$ref' in one)),
    body: raw.requestBody?.content ?? {},
    needsBody: raw.requestBody?.required ?? false,
    responses: raw.responses,
  };
}

const keyOf = ({ method, path }: DocumentedOperation): string => `${path} ${method}`;

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The operation's name in texts. */
export function operationTitle({ method, path }: DocumentedOperation): string {
  return `${method} ${path}`;
}

/** False: another service sends the request and signs it in its own header. */
export function isForClients({ parameters }: DocumentedOperation): boolean {
  return !parameters.some(({ in: place, required }) => place === 'header' && required);
}

/** The schemas that operations refer to, by name. */
export function documentedObjects({
  components,
}: OpenAPIObject): Readonly<Record<string, DocumentedSchema>> {
  return (components?.schemas ?? {}) as unknown as Readonly<Record<string, DocumentedSchema>>;
}

/** Name of the schema that a reference points to. */
export function objectNameOf({ $ref }: DocumentedSchema): string | null {
  return $ref?.replace(/^.*\//, '') ?? null;
}

/** Separates the texts of errors that share a status. */
export const TEXT_SEPARATOR = ' · ';

/** Error texts of one operation, by status. */
export function documentedErrors({
  responses,
}: DocumentedOperation): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => [status, description.split(TEXT_SEPARATOR)] as const);
}
