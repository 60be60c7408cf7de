import { isJsonPointer } from '@app/egress';
import { selectorProblem } from '@app/content';
import {
  checkRules,
  parseSettingJson,
  placeholderRules,
  settingObject,
  templateRules,
  textField,
  type SettingFields,
  type SettingRule,
} from '@app/search';
import { BUSINESS_FIELDS, type BusinessField } from '../businesses/business.js';
import { selectorOfPart } from './part-selector.js';

/** Kinds of sources of the search scrapers. */
export const SOURCE_KINDS = ['api', 'html', 'overpass', 'nominatim'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

interface SourceBase {
  /** As responses name it; unique within its scraper. */
  readonly name: string;
  /** What the operator pays for one search. */
  readonly costMicroUsd: number;
}

interface TemplateBase extends SourceBase {
  /** Address with placeholders. */
  readonly url: string;
  readonly key: string;
  /** `{key}` in a value is filled in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Businesses of one page. */
  readonly pageSize: number;
}

export type FieldPlaces = Readonly<Partial<Record<BusinessField, string>>>;

/** A partner's API with JSON answers. */
export interface ApiSourceSetting extends TemplateBase {
  readonly kind: 'api';
  /** JSON to POST, placeholders as whole strings; undefined: a GET. */
  readonly body: unknown;
  /** JSON pointer to the list of businesses. */
  readonly results: string;
  /** JSON pointer to a part of every answer; null: the list is always there. */
  readonly answered: string | null;
  /** JSON pointers within a business. */
  readonly fields: FieldPlaces;
}

/** A directory on the web, fetched like any page. */
export interface HtmlSourceSetting extends TemplateBase {
  readonly kind: 'html';
  /** Selector of the block of one business; null: only the markup of the page is read. */
  readonly results: string | null;
  /** Selectors within a block; `selector@attribute` for the value of an attribute. */
  readonly fields: FieldPlaces;
  /** Selector of what the page shows when it found nothing. */
  readonly none: string;
}

/** An Overpass server of the operator, with the data of OpenStreetMap. */
export interface OverpassSetting extends SourceBase {
  readonly kind: 'overpass';
  /** Address of the interpreter. */
  readonly url: string;
  /** Nominatim server that finds the location; null: Overpass finds it by name. */
  readonly nominatimUrl: string | null;
}

/** A Nominatim server of the operator. */
export interface NominatimSetting extends SourceBase {
  readonly kind: 'nominatim';
  readonly url: string;
}

export type SourceSetting =
  ApiSourceSetting | HtmlSourceSetting | OverpassSetting | NominatimSetting;

/** Placeholders of the templates of sources. */
export const SOURCE_PLACEHOLDERS = {
  known: ['query', 'location', 'key', 'count', 'page', 'pageIndex', 'offset'],
  inPath: ['query', 'location', 'page'],
} as const;

const MAX_SOURCES = 10;
const MAX_COST_USD = 100;
const FIELDS: Readonly<Record<SourceKind, readonly string[]>> = {
  api: ['url', 'body', 'key', 'headers', 'pageSize', 'results', 'answered', 'fields'],
  html: ['url', 'key', 'headers', 'pageSize', 'results', 'none', 'fields'],
  overpass: ['url', 'nominatimUrl'],
  nominatim: ['url'],
};
const DEFAULT_NAMES: Readonly<Record<SourceKind, string>> = {
  api: 'partner_api',
  html: 'directory',
  overpass: 'openstreetmap',
  nominatim: 'openstreetmap',
};

/**
 * The sources of one scraper, in the order in which they are tried: a JSON array of objects.
 * @throws Error naming the broken rule, without any value
 */
export function parseSourcesSetting(text: string): readonly SourceSetting[] {
  const json = parseSettingJson(text);
  if (!Array.isArray(json) || json.length === 0 || json.length > MAX_SOURCES)
    throw new Error(`must be a JSON array of 1 to ${MAX_SOURCES} sources`);
  const sources = json.map((item: unknown, at) => parseOne(item, at));
  const names = sources.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new Error('has two sources of the same "name": give each its own');
  return sources;
}

function parseOne(item: unknown, at: number): SourceSetting {
  try {
    return parseSource(item);
  } catch (error) {
    throw new Error(`source ${at + 1} ${error instanceof Error ? error.message : ''}`);
  }
}

function parseSource(item: unknown): SourceSetting {
  const kind = SOURCE_KINDS.find((one) => one === kindOf(item));
  if (kind === undefined) throw new Error(`"kind" must be one of ${SOURCE_KINDS.join(', ')}`);
  const own = settingObject(item, ['kind', 'name', 'costUsd', ...FIELDS[kind]]);
  const fields = { name: DEFAULT_NAMES[kind], costUsd: 0, ...own };
  checkRules(baseRules(fields));
  const base = {
    name: textField(fields, 'name'),
    costMicroUsd: Math.round(Number(fields.costUsd) * 1e6),
  };
  switch (kind) {
    case 'api':
      return { ...base, ...parseApi(fields) };
    case 'html':
      return { ...base, ...parseHtml(fields) };
    case 'overpass':
      return { ...base, ...parseOverpass(fields) };
    case 'nominatim':
      checkRules([addressRule(fields, 'url')]);
      return { ...base, kind, url: textField(fields, 'url') };
  }
}

function kindOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'kind' in item ? item.kind : undefined;
}

function baseRules({ name, costUsd }: SettingFields): readonly SettingRule[] {
  const isName = typeof name === 'string' && /^[a-z0-9][a-z0-9_-]{0,39}$/.test(name);
  const isCost = typeof costUsd === 'number' && costUsd >= 0 && costUsd <= MAX_COST_USD;
  return [
    ['name', isName, 'must be 1 to 40 of a-z, 0-9, _ and -'],
    ['costUsd', isCost, `must be a number from 0 to ${MAX_COST_USD}`],
  ];
}

const TEMPLATE_DEFAULTS = { key: '', headers: {}, pageSize: 20, times: null, fields: {} };

type ApiPart = Omit<ApiSourceSetting, keyof SourceBase>;

function parseApi(own: SettingFields): ApiPart {
  const fields: SettingFields = { ...TEMPLATE_DEFAULTS, answered: null, ...own };
  const { body, answered } = fields;
  const isBody = typeof body === 'object' && body !== null && !Array.isArray(body);
  const pointer = (name: string, value: unknown): SettingRule => {
    const isPointer = typeof value === 'string' && isJsonPointer(value);
    return [name, isPointer, 'must be a JSON pointer such as /data/items'];
  };
  checkRules([
    ...templateRules(fields),
    ['body', body === undefined || isBody, 'must be a JSON object'],
    pointer('results', fields['results']),
    ...(answered === null ? [] : [pointer('answered', answered)]),
    ...fieldRules(fields['fields'], isJsonPointer, 'must be JSON pointers such as /title'),
  ]);
  const setting: ApiPart = {
    kind: 'api',
    ...readTemplate(fields),
    body,
    results: textField(fields, 'results'),
    answered: answered === null ? null : textField(fields, 'answered'),
    fields: placesOf(fields['fields']),
  };
  checkRules(placeholderRules(setting, SOURCE_PLACEHOLDERS));
  return setting;
}

type HtmlPart = Omit<HtmlSourceSetting, keyof SourceBase>;

function parseHtml(own: SettingFields): HtmlPart {
  const fields: SettingFields = { ...TEMPLATE_DEFAULTS, results: null, ...own };
  const { results, none } = fields;
  checkRules([
    ...templateRules(fields),
    ...(results === null ? [] : [selectorRule('results', results)]),
    selectorRule('none', none),
    ...fieldRules(
      fields['fields'],
      (text) => selectorProblem(selectorOfPart(text).selector) === null,
      'must be CSS selectors, or selector@attribute',
    ),
  ]);
  const setting: HtmlPart = {
    kind: 'html',
    ...readTemplate(fields),
    results: results === null ? null : textField(fields, 'results'),
    none: textField(fields, 'none'),
    fields: placesOf(fields['fields']),
  };
  checkRules([
    ...placeholderRules(setting, SOURCE_PLACEHOLDERS),
    ['fields', results === null || 'name' in setting.fields, 'must have "name" beside "results"'],
  ]);
  return setting;
}

function parseOverpass(own: SettingFields): Omit<OverpassSetting, keyof SourceBase> {
  const fields: SettingFields = { nominatimUrl: null, ...own };
  const { nominatimUrl } = fields;
  checkRules([
    addressRule(fields, 'url'),
    ...(nominatimUrl === null ? [] : [addressRule(fields, 'nominatimUrl')]),
  ]);
  const url = nominatimUrl === null ? null : textField(fields, 'nominatimUrl');
  return { kind: 'overpass', url: textField(fields, 'url'), nominatimUrl: url };
}

function addressRule(fields: SettingFields, name: string): SettingRule {
  const url = URL.parse(textField(fields, name));
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === '';
  return [name, isAddress, 'must be the http(s) address of your own server'];
}

function selectorRule(name: string, value: unknown): SettingRule {
  const problem = typeof value === 'string' ? selectorProblem(value) : 'must be a CSS selector';
  return [name, problem === null, problem ?? ''];
}

function fieldRules(
  value: unknown,
  isPlace: (text: string) => boolean,
  rule: string,
): readonly SettingRule[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const known: readonly string[] = BUSINESS_FIELDS;
  return [
    ['fields', typeof value === 'object' && value !== null, 'must be an object'],
    ['fields', entries.every(([name]) => known.includes(name)), `may have ${known.join(', ')}`],
    ['fields', entries.every(([, at]) => typeof at === 'string' && isPlace(at)), rule],
  ];
}

function placesOf(value: unknown): FieldPlaces {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readTemplate(fields: SettingFields): Omit<TemplateBase, keyof SourceBase> {
  const headers = fields['headers'];
  return {
    url: textField(fields, 'url'),
    key: textField(fields, 'key'),
    headers: typeof headers === 'object' && headers !== null ? { ...headers } : {},
    pageSize: Number(fields['pageSize']),
  };
}
