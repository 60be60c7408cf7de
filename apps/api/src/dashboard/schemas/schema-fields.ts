import { isRecord } from '../http/one-time-notes.js';
import { fieldText, type Fields } from '../results/read-result.js';
import type { FormField } from '../playground/request-form.js';

/** What people call the types of JSON Schema. */
const TYPES: Readonly<Record<string, Fields>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  'whole number': { type: 'integer' },
  'yes or no': { type: 'boolean' },
  'list of texts': { type: 'array', items: { type: 'string' } },
};

/** One field of a schema, as the form has it. */
export interface SchemaRow {
  readonly name?: string;
  readonly type?: string;
  readonly about?: string;
}

export const MAX_SCHEMA_ROWS = 50;
export const MAX_FIELD_NAME_CHARS = 60;
const MAX_ABOUT_CHARS = 300;
const NAME = /^[A-Za-z]\w*$/;

const UNSET = {
  ...{ isRequired: false, help: '', fallback: undefined, example: undefined },
  ...{ choices: [], columns: [], isWhole: false },
} as const;

/** The list of fields of the form. */
export const SCHEMA_ROWS: FormField = {
  ...UNSET,
  ...{ name: 'fields', kind: 'rows', maxItems: MAX_SCHEMA_ROWS },
  columns: [
    { ...UNSET, name: 'name', kind: 'text', maxLength: MAX_FIELD_NAME_CHARS },
    { ...UNSET, name: 'type', kind: 'choice', choices: Object.keys(TYPES), fallback: 'text' },
    { ...UNSET, name: 'about', kind: 'text', maxLength: MAX_ABOUT_CHARS },
  ],
};

/** The JSON Schema of rows. @throws Error that says which row is wrong */
export function schemaOf(rows: readonly SchemaRow[]): Fields {
  const properties: Record<string, Fields> = {};
  rows.forEach(({ name = '', type = 'text', about = '' }, at) => {
    if (!NAME.test(name) || name.length > MAX_FIELD_NAME_CHARS)
      throw new Error(`Name field ${at + 1} by letters, digits and _, such as price.`);
    if (Object.hasOwn(properties, name)) throw new Error(`Two fields have the name ${name}.`);
    const description = about.trim().slice(0, MAX_ABOUT_CHARS);
    properties[name] = { ...TYPES[type], ...(description === '' ? {} : { description }) };
  });
  return { type: 'object', properties };
}

/** The rows of a schema that was built here. */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).map(([name, property]) => {
    const fields = isRecord(property) ? property : {};
    const [type = 'text'] =
      Object.entries(TYPES).find(([, known]) => known['type'] === fields['type']) ?? [];
    return { name, type, about: fieldText(fields, 'description') ?? '' };
  });
}

/** A value of a page, and the field that it would be. */
export interface PageValue extends Required<SchemaRow> {
  readonly value: string;
}

const MAX_CANDIDATES = 60;
const MAX_VALUE_CHARS = 120;
/** Of the Markdown that is looked through. */
const MAX_READ_CHARS = 100_000;

/** Values of a scraped page that one might want: what it states as data, then lines such as `Weight: 2 kg` and rows of tables. */
export function pageValues(result: unknown): readonly PageValue[] {
  if (!isRecord(result)) return [];
  const formats = isRecord(result['formats']) ? result['formats'] : {};
  const stated = [formats['product'], result['listing'], result['metadata']]
    .filter(isRecord)
    .flatMap((one) => Object.entries(one))
    .filter(([name]) => !TECHNICAL.test(name));
  const markdown = (fieldText(result, 'markdown') ?? '').slice(0, MAX_READ_CHARS);
  const found = new Map<string, PageValue>();
  for (const [label, value] of [...stated, ...labelled(markdown)]) {
    const one = pageValueOf(label, value);
    if (one !== null && !found.has(one.name)) found.set(one.name, one);
    if (found.size >= MAX_CANDIDATES) break;
  }
  return [...found.values()];
}

/** About the fetch, not the page. */
const TECHNICAL =
  /^_|^(?:url|sourceURL|statusCode|fetchMethod|latencyMs|contentType|proxyUsed|cacheState|cached|hiddenChars|language|charset)$/;

function* labelled(markdown: string): Generator<readonly [string, unknown]> {
  for (const line of markdown.split('\n')) {
    const cells = /^\s*\|(.+)\|\s*$/.exec(line)?.[1]?.split('|') ?? [];
    const [label, value] = cells.length === 2 ? cells : apart(line);
    if (label && value && !/^[\s:-]*$/.test(value)) yield [plain(label), plain(value)];
  }
}

/** `**Weight:** 2 kg`; a sentence with a colon in it is none. */
function apart(line: string): readonly (string | undefined)[] {
  const at = line.indexOf(':');
  if (at < 2 || at > 40 || line.length > 200 || line[at + 1] === '/') return [];
  return [line.slice(0, at), line.slice(at + 1)];
}

const plain = (text: string): string => text.replace(/[*`_#>]|^\s*-\s/g, '').trim();

function pageValueOf(label: string, value: unknown): PageValue | null {
  const name = label
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
    .join('_')
    .slice(0, MAX_FIELD_NAME_CHARS);
  const type = typeOf(value);
  if (!NAME.test(name) || type === null) return null;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  if (text.trim() === '') return null;
  const shown = text.slice(0, MAX_VALUE_CHARS);
  return { name, type, about: `such as ${shown}`, value: shown };
}

function typeOf(value: unknown): string | null {
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? 'list of texts' : null;
  if (typeof value === 'boolean') return 'yes or no';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'number';
  if (typeof value !== 'string') return null;
  return /^-?\d+(?:\.\d+)?$/.test(value) ? 'number' : 'text';
}
