import {
  type DocumentedOperation,
  type DocumentedSchema,
  objectNameOf,
} from '../../public/documented-operations.js';

/** How a person fills in a field. */
export type FieldKind =
  | 'text'
  /** Several lines of text. */
  | 'prose'
  | 'address'
  | 'number'
  /** Yes or no. */
  | 'switch'
  /** One of `choices`. */
  | 'choice'
  /** Some of `choices`. */
  | 'choices'
  /** Texts, one in a line. */
  | 'lines'
  /** `name: value`, one in a line. */
  | 'pairs'
  /** Objects in order, each with the fields of `columns`. */
  | 'rows'
  /** Anything else, as JSON. */
  | 'json';

/** A field of a request body, as a form shows it. */
export interface FormField {
  /** Its place in the body, names of objects in it joined by points: `location.country`. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly help: string;
  /** What the service takes without it; undefined: nothing. */
  readonly fallback: unknown;
  readonly example: unknown;
  readonly choices: readonly string[];
  /** Of `rows`, and of the object that `choices` may have among its names. */
  readonly columns: readonly FormField[];
  /** The `type` of that object. */
  readonly objectType?: string;
  readonly maxItems?: number;
  readonly isWhole: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
}

/** The form of one endpoint: made of the API's description, so it has every field of it. */
export interface RequestForm {
  readonly operation: DocumentedOperation;
  readonly fields: readonly FormField[];
}

type Schemas = Readonly<Record<string, DocumentedSchema>>;

/** The parameters of a connector. */
export const PARAMS = 'params.';

const JSON_TYPE = 'application/json';
/** Objects in objects; deeper ones are JSON. */
const MAX_DEPTH = 3;
/** Longer texts are of several lines. */
const MAX_LINE_CHARS = 10_000;
const ALIAS = /(?:^|: )Alias of `/;

export function requestFormOf(operation: DocumentedOperation, schemas: Schemas): RequestForm {
  const schema = operation.body[JSON_TYPE]?.schema ?? {};
  return { operation, fields: fieldsOf(resolved(schema, schemas), schemas, '', 1) };
}

/** @param prefix of the names: where the object stands in the body */
export function fieldsOf(
  { properties = {}, required = [] }: DocumentedSchema,
  schemas: Schemas,
  prefix: string,
  depth: number,
): readonly FormField[] {
  return Object.entries(properties).flatMap(([name, raw]) => {
    // The field of the other name is there.
    if (ALIAS.test(raw.description ?? '')) return [];
    const schema = resolved(raw, schemas);
    const place = `${prefix}${name}`;
    if (schema.properties !== undefined && depth < MAX_DEPTH)
      return fieldsOf({ ...schema, required: [] }, schemas, `${place}.`, depth + 1);
    return fieldOf(
      place,
      { ...schema, ...described(raw, schema) },
      required.includes(name),
      schemas,
    );
  });
}

/** What is said where a schema is used goes before what it says of itself. */
const described = (used: DocumentedSchema, named: DocumentedSchema): DocumentedSchema => ({
  description: used.description ?? named.description ?? '',
});

function fieldOf(
  name: string,
  schema: DocumentedSchema,
  isRequired: boolean,
  schemas: Schemas,
): FormField {
  const items = schema.items === undefined ? undefined : resolved(schema.items, schemas);
  const kind = kindOf(schema, items);
  const { help, fallback } = readDefault(schema.description ?? '');
  const { minimum: min, maximum: max, maxLength, maxItems } = schema;
  return {
    ...{ name, kind, isRequired, help, fallback, example: schema.example },
    choices: ((kind === 'choices' ? namesIn(items)?.enum : schema.enum) ?? []).filter(isText),
    ...columnsIn(kind, items, schemas),
    isWhole: typesOf(schema).includes('integer'),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

function kindOf(schema: DocumentedSchema, items: DocumentedSchema | undefined): FieldKind {
  if (schema.enum !== undefined) return 'choice';
  const [type = 'any'] = typesOf(schema);
  if (schema.anyOf !== undefined || schema.properties !== undefined) return 'json';
  switch (type) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      if (schema.format === 'uri') return 'address';
      return (schema.maxLength ?? 0) > MAX_LINE_CHARS ? 'prose' : 'text';
    case 'array':
      if (namesIn(items) !== undefined) return 'choices';
      if (items !== undefined && typesOf(items)[0] === 'string') return 'lines';
      return isFlat(items) ? 'rows' : 'json';
    case 'object':
      return isOfTexts(schema.additionalProperties) ? 'pairs' : 'json';
    default:
      return 'json';
  }
}

/** Entries that are one of some names, perhaps beside an object. */
const namesIn = (items: DocumentedSchema | undefined): DocumentedSchema | undefined =>
  [items, ...(items?.anyOf ?? [])].find((one) => one?.enum !== undefined);

function columnsIn(
  kind: FieldKind,
  items: DocumentedSchema | undefined,
  schemas: Schemas,
): Pick<FormField, 'columns' | 'objectType'> {
  if (kind === 'rows') return { columns: columnsOf(items, schemas) };
  const object = items?.anyOf?.find(({ properties }) => properties?.['type'] !== undefined);
  const type = object?.properties?.['type']?.enum?.find(isText);
  if (kind !== 'choices' || type === undefined) return { columns: [] };
  const columns = columnsOf(object, schemas).filter(({ name }) => name !== 'type');
  return { columns, objectType: type };
}

const RESERVED = 'Reserved.';

function columnsOf(items: DocumentedSchema = {}, schemas: Schemas): readonly FormField[] {
  const { properties = {}, required = [] } = items;
  return Object.entries(properties)
    .filter(([, { description }]) => description !== RESERVED)
    .map(([name, schema]) => fieldOf(name, schema, required.includes(name), schemas));
}

/** An object of single values. */
function isFlat({ properties }: DocumentedSchema = {}): boolean {
  const fields = Object.values(properties ?? {});
  return fields.length > 0 && fields.every((one) => FLAT.has(kindOf(one, undefined)));
}

const FLAT: ReadonlySet<FieldKind> = new Set(['text', 'prose', 'number', 'choice']);

const isOfTexts = (values: boolean | DocumentedSchema | undefined): boolean =>
  typeof values === 'object' && typesOf(values)[0] === 'string';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Without `null`, which a request may send for "not given". */
function typesOf({ type = [] }: DocumentedSchema): readonly string[] {
  return (typeof type === 'string' ? [type] : type).filter((one) => one !== 'null');
}

/** A reference, alone or with a description around it, becomes what it refers to. */
function resolved(schema: DocumentedSchema, schemas: Schemas): DocumentedSchema {
  const [only, ...others] =
    schema.allOf ?? (schema.anyOf ?? []).filter((one) => one.type !== 'null');
  const used = only !== undefined && others.length === 0 && only.$ref !== undefined ? only : schema;
  const name = objectNameOf(used);
  return (name === null ? undefined : schemas[name]) ?? schema;
}

/** The description ends with what the service takes without the field: see complete-openapi.ts. */
function readDefault(description: string): { readonly help: string; readonly fallback: unknown } {
  const found = / ?Default: `([^`]+)`\.$/.exec(description);
  if (found === null) return { help: description, fallback: undefined };
  return { help: description.slice(0, found.index), fallback: JSON.parse(found[1] ?? 'null') };
}
