import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { createAjv } from '@app/content';
import type {
  Connector,
  ConnectorInput,
  ConnectorMatch,
  ConnectorParams,
  ObjectSchema,
} from './connector.js';
import { recordPrice, type RecordPrice } from './record-price.js';

/** A connector of the catalog, with checks by its schemas. */
export interface RegisteredConnector {
  readonly connector: Connector;
  readonly price: RecordPrice;
  readonly paramsProblem: ValueCheck;
  readonly rowProblem: ValueCheck;
  /** Columns of its CSV. */
  readonly columns: readonly string[];
  /** A module of the operator, not a part of this program. */
  readonly isOwn: boolean;
}

export interface MatchedConnector extends ConnectorMatch {
  readonly connector: Connector;
}

/** The catalog: connectors by their stable id. */
export class ConnectorRegistry {
  private readonly byId = new Map<string, RegisteredConnector>();

  get all(): readonly RegisteredConnector[] {
    return [...this.byId.values()];
  }

  get(id: string): RegisteredConnector | null {
    return this.byId.get(id) ?? null;
  }

  /** @throws Error that says what is wrong with it */
  add(value: unknown, { isOwn = false }: { readonly isOwn?: boolean } = {}): void {
    const problem = connectorProblem(value);
    if (problem !== null) throw new Error(problem);
    const connector = value as Connector;
    if (this.byId.has(connector.id))
      throw new Error(`another connector has the id ${connector.id}`);
    // Those of this program are checked by its tests.
    if (isOwn) [connector.params, connector.schema].forEach(assertSchema);
    this.byId.set(connector.id, {
      connector,
      isOwn,
      price: recordPrice(connector.pricePerRecordUsd),
      paramsProblem: paramsCheck(connector),
      rowProblem: checkOf(connector.schema),
      columns: Object.keys(connector.schema.properties),
    });
  }

  /** The connector that suits a request best: modules of the operator win a tie. Null: none does. */
  match(input: ConnectorInput): MatchedConnector | null {
    let best: MatchedConnector | null = null;
    for (const { connector, isOwn, paramsProblem } of this.byId.values()) {
      const match = connector.match(input);
      if (match === null || paramsProblem(match.params) !== null) continue;
      const isBetter = best === null || match.score > best.score;
      if (isBetter || (isOwn && match.score === best?.score)) best = { connector, ...match };
    }
    return best;
  }
}

function paramsCheck(connector: Connector): ValueCheck {
  const check = checkOf(connector.params);
  return (value) => check(value) ?? connector.paramsProblem?.(value as ConnectorParams) ?? null;
}

const ID = /^[a-z][a-z0-9_]{1,39}$/;
const MAX_PRICE_USD = 100;

/** What keeps a value from being a connector, to be completed with its file; null: it is one. */
export function connectorProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'the default export is no object';
  const parts = value as Readonly<Record<string, unknown>>;
  const rules: readonly (readonly [string, boolean, string])[] = [
    ['id', isText(parts['id']) && ID.test(parts['id']), 'must be 2 to 40 of a-z, 0-9 and _'],
    ['title', isText(parts['title']), 'must be a text'],
    ['description', isText(parts['description']), 'must be a text'],
    ['params', isObjectSchema(parts['params']), 'must be a JSON Schema of an object'],
    ['schema', isObjectSchema(parts['schema']), 'must be a JSON Schema of an object'],
    ['pricePerRecordUsd', isPrice(parts['pricePerRecordUsd']), `must be 0 to ${MAX_PRICE_USD}`],
    ...['keyOf', 'match', 'preview', 'run'].map(
      (name) => [name, typeof parts[name] === 'function', 'must be a function'] as const,
    ),
    ...['paramsProblem', 'changesOf'].map(
      (name) => [name, isOptionalFunction(parts[name]), 'must be a function'] as const,
    ),
  ];
  const broken = rules.find(([, isKept]) => !isKept);
  return broken === undefined ? null : `\`${broken[0]}\` ${broken[2]}`;
}

function isOptionalFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 1_000;
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE_USD;
}

function isObjectSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, properties } = value as { readonly type?: unknown; readonly properties?: unknown };
  return type === 'object' && typeof properties === 'object' && properties !== null;
}

/** Says what is wrong with a value; null: nothing. */
type ValueCheck = (value: unknown) => string | null;

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
