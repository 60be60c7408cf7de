import { structureProblem } from '../../http/json-structure.js';
import type { FormField } from './request-form.js';

/** What a person filled in, as the body of a request, or what is wrong with it. */
export interface FilledRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** By the name of the field. */
  readonly problems: ReadonlyMap<string, FieldProblem>;
}

export interface FieldProblem {
  readonly text: string;
  /** What was filled in; it is shown again. */
  readonly given: string;
}

type Fields = Record<string, unknown>;

/**
 * The request body of a filled form. A field that is left as the service has it is not sent. Values are checked as far as the
 * form needs it; the API checks the rest and says what to do.
 * @param values the fields of the form; a `choices` or `lines` field may be there several times
 */
export function readForm(fields: readonly FormField[], values: URLSearchParams): FilledRequest {
  const body: Fields = {};
  const problems = new Map<string, FieldProblem>();
  for (const field of fields) {
    try {
      const value = valueOf(field, values);
      if (value !== undefined && !isSame(value, field.fallback)) put(body, field.name, value);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      problems.set(field.name, { text, given: values.get(field.name) ?? '' });
    }
  }
  return { body, problems };
}

/** @throws Error with what to do */
function valueOf(field: FormField, values: URLSearchParams): unknown {
  const { name, kind } = field;
  const text = (values.get(name) ?? '').trim();
  switch (kind) {
    case 'switch':
      return switchOf(values.getAll(name), field);
    case 'choices':
      return someOf([
        ...values.getAll(name).filter((one) => one !== ''),
        ...objectOf(field, values),
      ]);
    case 'lines':
      return someOf(linesOf(text));
    case 'pairs':
      return text === '' ? undefined : pairsOf(text);
    case 'number':
      return text === '' ? undefined : numberOf(text);
    case 'rows':
      return someOf(rowsOf(field, values));
    case 'json':
      return text === '' ? undefined : jsonOf(text);
    case 'prose':
      // White space of a document is part of it.
      return text === '' ? undefined : (values.get(name) ?? '');
    case 'text':
    case 'address':
    case 'choice':
      return text === '' ? undefined : text;
  }
}

/** A box that is not ticked is not sent: a field before it says that the form had one. */
function switchOf(sent: readonly string[], { fallback }: FormField): boolean | undefined {
  if (sent.includes('on')) return true;
  return sent.includes('off') && fallback === true ? false : undefined;
}

/** The object among names, once its first field is filled in. */
function objectOf(
  { name, columns, objectType: type = '' }: FormField,
  values: URLSearchParams,
): readonly Fields[] {
  const given = givenIn(columns, `${name}.${type}`, values);
  return columns[0] && columns[0].name in given ? [{ type, ...given }] : [];
}

function givenIn(columns: readonly FormField[], place: string, values: URLSearchParams): Fields {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const value = valueOf({ ...column, name: `${place}.${column.name}` }, values);
      return value === undefined ? [] : [[column.name, value] as const];
    }),
  );
}

const someOf = <Value>(values: readonly Value[]): readonly Value[] | undefined =>
  values.length === 0 ? undefined : values;

/** More than any list of the API has. */
const MAX_ROWS = 100;

/** The rows of a list in their order: `actions.0.type`. One that nothing was filled in to is an empty object. */
function rowsOf({ name, columns }: FormField, values: URLSearchParams): readonly Fields[] {
  const first = columns[0]?.name ?? '';
  const rows: Fields[] = [];
  for (let at = 0; at < MAX_ROWS && values.has(`${name}.${at}.${first}`); at += 1)
    rows.push(givenIn(columns, `${name}.${at}`, values));
  return rows;
}

/** What a button of a list does to one of its rows: see field-controls.ts. */
const ROW_CHANGE = /^(\S+) (?:(add)|(\d{1,3}) (up|down|remove))$/;

/**
 * The body with a list changed as a button says; as it was if there is no such row.
 * @param change `actions add`, `actions 2 up`
 */
export function changedRows(
  body: FilledRequest['body'],
  fields: readonly FormField[],
  change: string,
): FilledRequest['body'] {
  const [, name = '', add, place = '', move] = ROW_CHANGE.exec(change) ?? [];
  const field = fields.find((one) => one.name === name && one.kind === 'rows');
  if (field === undefined) return body;
  const given = body[name];
  const rows: unknown[] = Array.isArray(given) ? [...given] : [];
  const at = Number(place);
  if (add && rows.length < (field.maxItems ?? MAX_ROWS)) rows.push({});
  if (!add && at < rows.length) {
    const [row] = rows.splice(at, 1);
    if (move === 'up') rows.splice(Math.max(0, at - 1), 0, row);
    if (move === 'down') rows.splice(at + 1, 0, row);
  }
  return { ...body, [name]: rows };
}

const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.trim() || []);

function pairsOf(text: string): Fields {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new Error(`Write each line as name: value; this one is not: ${line.slice(0, 80)}`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error('Write a number.');
  return value;
}

/** As deep and as many values as the API takes. */
function jsonOf(text: string): unknown {
  const problem = structureProblem(text);
  if (problem !== null) throw new Error(`${problem}.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

const isSame = (value: unknown, other: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(other);

function put(body: Fields, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = (body[first] ??= {}) as Fields;
  put(inner, rest.join('.'), value);
}
