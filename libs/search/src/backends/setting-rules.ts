import { placeholdersIn, wholePlaceholder } from '@app/egress';
import { SEARCH_PERIODS, type SearchPeriod } from '../search-task.js';

/** One rule of a setting: its text goes into the error, the value never does, for it may be the key. */
export type SettingRule = readonly [field: string, isKept: boolean, rule: string];

/** The host is fixed: a placeholder there would let a query choose where the key goes. */
const FIXED_ORIGIN = /^https?:\/\/[^/?#{}@\s]+(?:[/?][^#\s]*)?$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const MAX_COUNT = 100;

export type SettingFields = Readonly<Record<string, unknown>>;

/** How a backend is requested. */
export interface SearchTemplate {
  /** Address with placeholders: `https://search.example/?q={query}&page={page}`. */
  readonly url: string;
  readonly key: string;
  /** `{key}` in a value is filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Results of one page. */
  readonly pageSize: number;
  readonly times: PeriodWords | null;
}

/** A JSON object with known fields only. @throws Error naming the broken rule, without any value */
export function parseSettingObject(text: string, known: readonly string[]): SettingFields {
  return settingObject(parseSettingJson(text), known);
}

/** The same of a value that is parsed. @throws Error naming the broken rule, without any value */
export function settingObject(json: unknown, known: readonly string[]): SettingFields {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error('must be a JSON object');
  if (Object.keys(json).some((field) => !known.includes(field)))
    throw new Error(`has an unknown field (known: ${known.join(', ')})`);
  return json as SettingFields;
}

/** @throws Error without any value */
export function parseSettingJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, and with it perhaps the key.
    throw new Error('is not valid JSON');
  }
}

/** @throws Error naming the first broken rule */
export function checkRules(rules: readonly SettingRule[]): void {
  const found = rules.find(([, isKept]) => !isKept);
  if (found !== undefined) throw new Error(`"${found[0]}" ${found[2]}`);
}

/** The fields that every backend with templates has. */
export function templateRules(fields: SettingFields): readonly SettingRule[] {
  const { url, key, headers, pageSize, times } = fields;
  return [
    ['url', typeof url === 'string' && FIXED_ORIGIN.test(url), 'must be http(s) with a fixed host'],
    [
      'key',
      typeof key === 'string' && /^[\x21-\x7e]*$/.test(key),
      'must be visible ASCII without spaces',
    ],
    ['headers', isHeaders(headers), 'must map header names to texts'],
    ['pageSize', isCount(pageSize), `must be a whole number from 1 to ${MAX_COUNT}`],
    ['times', times === null || isPeriodWords(times), 'must have the texts d, w, m and y'],
  ];
}

/** The template of fields that keep {@link templateRules}. */
export function readTemplate(fields: SettingFields): SearchTemplate {
  const { headers, times } = fields;
  return {
    url: textField(fields, 'url'),
    key: textField(fields, 'key'),
    headers: isHeaders(headers) ? headers : {},
    pageSize: Number(fields['pageSize']),
    times: isPeriodWords(times) ? times : null,
  };
}

/** A field that its rules have made a text. */
export function textField(fields: SettingFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Placeholders that the templates of one kind of backend may have. */
export interface PlaceholderNames {
  readonly known: readonly string[];
  /** Those that may be in the path of the address, too. */
  readonly inPath: readonly string[];
}

/** Which placeholders are where. */
export function placeholderRules(
  {
    url,
    body,
    headers,
    key,
  }: Pick<SearchTemplate, 'url' | 'headers' | 'key'> & { readonly body?: unknown },
  names: PlaceholderNames,
): readonly SettingRule[] {
  const bodyTexts = textsOf(body);
  const inRequest = [url, ...bodyTexts].flatMap(placeholdersIn);
  const inHeaders = Object.values(headers).flatMap(placeholdersIn);
  const inPath = placeholdersIn(url.split('?')[0] ?? '');
  const isKnown = (name: string): boolean => names.known.includes(name);
  const isWholeOrPlain = (text: string): boolean =>
    placeholdersIn(text).length === 0 || wholePlaceholder(text) !== null;
  return [
    [
      'url',
      inRequest.every(isKnown),
      `or "body" has an unknown placeholder (known: ${names.known.join(', ')})`,
    ],
    ['url', inRequest.includes('query'), 'or "body" must have the placeholder {query}'],
    [
      'url',
      inPath.every((name) => names.inPath.includes(name)),
      `may have ${names.inPath.map((name) => `{${name}}`).join(' and ')} alone in its path`,
    ],
    ['body', bodyTexts.every(isWholeOrPlain), 'has a placeholder that is not a whole string'],
    ['headers', inHeaders.every((name) => name === 'key'), 'can have the placeholder {key} only'],
    [
      'key',
      [...inRequest, ...inHeaders].includes('key') === (key !== ''),
      'and the placeholder {key} go together',
    ],
  ];
}

function textsOf(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(textsOf);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_COUNT;
}

function isPeriodWords(value: unknown): value is PeriodWords {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return (
    names.length === SEARCH_PERIODS.length &&
    SEARCH_PERIODS.every((name) => names.includes(name)) &&
    Object.values(value).every((word) => typeof word === 'string' && word !== '')
  );
}

function isHeaders(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([name, text]) =>
        HEADER_NAME.test(name) && typeof text === 'string' && /^[\t\x20-\x7e]*$/.test(text),
    )
  );
}

/** Values that the templates of backends may use. A null value drops its parameter or field. */
export type SearchValues = {
  readonly query: string;
  readonly key: string;
  /** Results wanted of one page. */
  readonly count: number;
  /** From 1. */
  readonly page: number;
  /** From 0. */
  readonly pageIndex: number;
  /** Results before this page. */
  readonly offset: number;
  /** Lower case. */
  readonly country: string;
  readonly countryUpper: string;
  /** Language of the country, such as `en`; null where none is known. */
  readonly language: string | null;
  /** The backend's word for the period; null without one. */
  readonly time: string | null;
};

const KNOWN: readonly string[] = [
  'query',
  'key',
  'count',
  'page',
  'pageIndex',
  'offset',
  'country',
  'countryUpper',
  'language',
  'time',
] satisfies (keyof SearchValues)[];

export const SEARCH_PLACEHOLDERS = { known: KNOWN, inPath: ['query'] } as const;

/** The backend's words for periods; null: it has none, and periods are left out. */
type PeriodWords = Readonly<Record<SearchPeriod, string>>;
