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
