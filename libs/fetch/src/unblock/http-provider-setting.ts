import { isJsonPointer, placeholdersIn, wholePlaceholder } from '@app/egress';

/** A third party's fetch API, as the operator describes it. */
export interface HttpProviderSetting {
  /** Shown in responses: lower case letters, digits and hyphens. */
  readonly name: string;
  /** Address with placeholders: `https://api.example/v1?key={key}&url={url}&country={country}`. */
  readonly url: string;
  /** JSON to POST, placeholders as whole string values; undefined: a GET. */
  readonly body: unknown;
  readonly key: string;
  /** Sent to the provider; `{key}` in a value is filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON pointer to the HTML; null: the response body is the page. */
  readonly html: string | null;
  /** JSON pointer to the site's status; null: 200. */
  readonly status: string | null;
  /** JSON pointer to the address after redirects; null: as asked. */
  readonly finalUrl: string | null;
  /** The provider runs the page's scripts, and `{render}` is true. */
  readonly render: boolean;
  /** The caller's headers and cookies are handed on. */
  readonly forwardHeaders: boolean;
  readonly timeoutMs: number;
  /** Price of one call. */
  readonly priceMicroUsd: number;
}

/** One rule of the setting: its text goes into the error, the value never does, for it may be the key. */
type Rule = readonly [field: string, isKept: boolean, rule: string];

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** The host is fixed: a placeholder there would let a page's address choose where the key goes. */
const FIXED_ORIGIN = /^https?:\/\/[^/?#{}@\s]+(?:[/?][^#\s]*)?$/i;
const FIELDS = [
  'name',
  'url',
  'body',
  'key',
  'headers',
  'html',
  'status',
  'finalUrl',
  'render',
  'forwardHeaders',
  'timeoutMs',
  'priceMicroUsd',
];
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 300_000;
const MAX_PRICE_MICRO_USD = 1_000_000_000;
const MAX_PROVIDERS = 8;

/**
 * Reads one provider, or a JSON list of up to 8 in the order in which they are tried.
 * @throws Error naming the broken rule, without any value
 */
export function parseHttpProviders(text: string): readonly HttpProviderSetting[] {
  const json = parseJson(text);
  const settings = (Array.isArray(json) ? json : [json]).map(readSetting);
  if (settings.length > MAX_PROVIDERS) throw broken(`at most ${MAX_PROVIDERS} of them`);
  const names = new Set(settings.map(({ name }) => name));
  if (names.size < settings.length) throw broken('each "name" must be used once');
  return settings;
}

/** Reads one provider. @throws Error naming the broken rule, without any value */
export function parseHttpProvider(text: string): HttpProviderSetting {
  return readSetting(parseJson(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, and with it perhaps the key.
    throw broken('not valid JSON');
  }
}

function readSetting(json: unknown): HttpProviderSetting {
  if (!isObject(json)) throw broken('must be a JSON object');
  const unknown = Object.keys(json).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) throw broken(`has an unknown field (known: ${FIELDS.join(', ')})`);
  const fields = { ...DEFAULTS, ...json };
  checkAll(shapeRules(fields));
  // The rules above are what makes these types true.
  const setting = { ...fields, body: readBody(fields.body) } as HttpProviderSetting;
  checkAll(templateRules(setting));
  return setting;
}

const DEFAULTS = {
  body: undefined,
  key: '',
  headers: {},
  html: null,
  status: null,
  finalUrl: null,
  render: false,
  forwardHeaders: false,
  timeoutMs: DEFAULT_TIMEOUT_MS,
};

/** The body may be written as JSON or as the text of it. */
function readBody(body: unknown): unknown {
  return typeof body === 'string' ? parseJson(body) : body;
}

function checkAll(rules: readonly Rule[]): void {
  const found = rules.find(([, isKept]) => !isKept);
  if (found !== undefined) throw broken(`"${found[0]}" ${found[2]}`);
}

function shapeRules(fields: Readonly<Record<string, unknown>>): readonly Rule[] {
  const { name, url, key, headers, html, status, finalUrl } = fields;
  return [
    ['name', isText(name) && NAME.test(name), 'must be 1-40 lower case letters, digits, hyphens'],
    [
      'url',
      isText(url) && FIXED_ORIGIN.test(url),
      'must be http(s) with a fixed host, no fragment',
    ],
    ['key', isText(key) && /^[\x21-\x7e]*$/.test(key), 'must be visible ASCII without spaces'],
    ['headers', isHeaders(headers), 'must map header names to texts'],
    ['html', isPointer(html), 'must be a JSON pointer such as /solution/response'],
    ['status', isPointer(status) && (status === null || html !== null), 'is a pointer beside html'],
    [
      'finalUrl',
      isPointer(finalUrl) && (finalUrl === null || html !== null),
      'is a pointer beside html',
    ],
    ['render', typeof fields.render === 'boolean', 'must be true or false'],
    ['forwardHeaders', typeof fields.forwardHeaders === 'boolean', 'must be true or false'],
    [
      'timeoutMs',
      isWhole(fields.timeoutMs, 1_000, MAX_TIMEOUT_MS),
      `must be 1000 to ${MAX_TIMEOUT_MS} milliseconds`,
    ],
    [
      'priceMicroUsd',
      isWhole(fields.priceMicroUsd, 0, MAX_PRICE_MICRO_USD),
      `is required: 0 to ${MAX_PRICE_MICRO_USD} micro-dollars a call`,
    ],
  ];
}

function templateRules(setting: HttpProviderSetting): readonly Rule[] {
  const { url, body, key, headers, forwardHeaders } = setting;
  const inUrl = placeholdersIn(url);
  const inBody = textsOf(body).flatMap(placeholdersIn);
  const inHeaders = Object.values(headers).flatMap(placeholdersIn);
  const inPath = placeholdersIn(url.split('?')[0] ?? '');
  const all = [...inUrl, ...inBody, ...inHeaders];
  const isCallers = (name: string) => name === 'headers' || name === 'cookies';
  return [
    [
      'url',
      all.every((name) => PLACEHOLDERS.some((known) => known === name)),
      `or "body" has an unknown placeholder (known: ${PLACEHOLDERS.join(', ')})`,
    ],
    ['url', [...inUrl, ...inBody].includes('url'), 'or "body" must have the placeholder {url}'],
    ['url', !inPath.includes('country'), 'may have {country} in its query only'],
    ['url', !inUrl.some(isCallers), 'cannot have {headers} or {cookies}: "body" can'],
    ['body', textsOf(body).every(isWholeOrPlain), 'has a placeholder that is not a whole string'],
    ['body', body === undefined || isObject(body), 'must be a JSON object'],
    ['headers', inHeaders.every((name) => name === 'key'), 'can have the placeholder {key} only'],
    ['forwardHeaders', forwardHeaders || !inBody.some(isCallers), 'is needed by "body"'],
    ['key', all.includes('key') === (key !== ''), 'and the placeholder {key} go together'],
  ];
}

function isWholeOrPlain(text: string): boolean {
  return placeholdersIn(text).length === 0 || wholePlaceholder(text) !== null;
}

function textsOf(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(textsOf);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isPointer(value: unknown): boolean {
  return value === null || (isText(value) && isJsonPointer(value));
}

function isHeaders(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, text]) =>
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) &&
        isText(text) &&
        /^[\t\x20-\x7e]*$/.test(text),
    )
  );
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function broken(rule: string): Error {
  return new Error(`unblock provider: ${rule}`);
}

/** Values that the templates of a provider may use. A null value drops its parameter or field. */
export type TemplateValues = {
  readonly key: string;
  readonly url: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly render: boolean;
  /** Milliseconds the provider has. */
  readonly timeoutMs: number;
  /** The caller's headers; null unless they may be handed on. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The caller's Cookie header; null unless it may be handed on. */
  readonly cookies: string | null;
};

const PLACEHOLDERS: readonly (keyof TemplateValues)[] = [
  'key',
  'url',
  'country',
  'render',
  'timeoutMs',
  'headers',
  'cookies',
];
