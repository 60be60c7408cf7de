import { isJsonPointer } from '@app/egress';
import type { JsonShape } from '../results/read-json-results.js';
import {
  checkRules,
  parseSettingObject,
  placeholderRules,
  readTemplate,
  templateRules,
  textField,
  type SearchTemplate,
  type SettingFields,
  type SettingRule,
  SEARCH_PLACEHOLDERS,
} from './setting-rules.js';

/** A search API with JSON answers, as the operator describes it. */
export interface SerpSetting extends SearchTemplate {
  /** JSON to POST, placeholders as whole strings; undefined: a GET. */
  readonly body: unknown;
  readonly shape: JsonShape;
}

const FIELDS = [
  ...['preset', 'url', 'body', 'key', 'headers', 'pageSize', 'times'],
  ...['results', 'resultUrl', 'resultTitle', 'resultSnippet', 'answered', 'hasMarkup'],
];
const DEFAULTS: SettingFields = {
  body: undefined,
  key: '',
  headers: {},
  pageSize: 10,
  times: null,
  resultUrl: '/url',
  resultTitle: '/title',
  resultSnippet: '/snippet',
  answered: null,
  hasMarkup: false,
};

/** @throws Error naming the broken rule, without any value */
export function parseSerpSetting(text: string): SerpSetting {
  const fields = withPreset(parseSettingObject(text, FIELDS));
  checkRules([...templateRules(fields), ...shapeRules(fields)]);
  const setting = { ...readTemplate(fields), body: fields['body'], shape: shapeOf(fields) };
  checkRules(placeholderRules(setting, SEARCH_PLACEHOLDERS));
  return setting;
}

function withPreset({ preset, ...own }: SettingFields): SettingFields {
  if (preset === undefined) return { ...DEFAULTS, ...own };
  const found = typeof preset === 'string' ? SERP_PRESETS.get(preset) : undefined;
  if (found === undefined)
    throw new Error(`"preset" must be one of ${[...SERP_PRESETS.keys()].join(', ')}`);
  const { [PRESET_QUERY]: query, ...fields } = found;
  const url = own['url'];
  const isBare = typeof url === 'string' && typeof query === 'string' && !url.includes('?');
  const address = isBare && query !== '' ? { url: `${url}?${query}` } : {};
  return { ...DEFAULTS, ...fields, ...own, ...address };
}

function shapeRules(fields: SettingFields): readonly SettingRule[] {
  const { body, answered, hasMarkup } = fields;
  const pointer = (name: string): SettingRule => {
    const value = fields[name];
    const isPointer = typeof value === 'string' && isJsonPointer(value);
    return [name, isPointer, 'must be a JSON pointer such as /web/results'];
  };
  const isBody = typeof body === 'object' && body !== null && !Array.isArray(body);
  return [
    ['body', body === undefined || isBody, 'must be a JSON object'],
    ...['results', 'resultUrl', 'resultTitle', 'resultSnippet'].map(pointer),
    ...(answered === null ? [] : [pointer('answered')]),
    ['hasMarkup', typeof hasMarkup === 'boolean', 'must be true or false'],
  ];
}

function shapeOf(fields: SettingFields): JsonShape {
  return {
    results: textField(fields, 'results'),
    url: textField(fields, 'resultUrl'),
    title: textField(fields, 'resultTitle'),
    snippet: textField(fields, 'resultSnippet'),
    answered: fields['answered'] === null ? null : textField(fields, 'answered'),
    hasMarkup: fields['hasMarkup'] === true,
  };
}

/** The query that a preset adds to the operator's address; empty: it sends a body. */
const PRESET_QUERY = 'query';

/**
 * Shapes of known search APIs: fields of a setting, without the address and the key, which are the operator's. A field of
 * the operator's own goes before one of the preset.
 */
const SERP_PRESETS: ReadonlyMap<string, SettingFields> = new Map([
  [
    'brave',
    {
      [PRESET_QUERY]:
        'q={query}&count={count}&offset={pageIndex}&country={countryUpper}&freshness={time}',
      headers: { 'x-subscription-token': '{key}', accept: 'application/json' },
      pageSize: 20,
      times: { d: 'pd', w: 'pw', m: 'pm', y: 'py' },
      results: '/web/results',
      resultUrl: '/url',
      resultTitle: '/title',
      resultSnippet: '/description',
      answered: '/query',
      hasMarkup: true,
    },
  ],
  [
    'serper',
    {
      [PRESET_QUERY]: '',
      headers: { 'x-api-key': '{key}' },
      body: { q: '{query}', num: '{count}', page: '{page}', gl: '{country}', tbs: '{time}' },
      pageSize: 10,
      times: { d: 'qdr:d', w: 'qdr:w', m: 'qdr:m', y: 'qdr:y' },
      results: '/organic',
      resultUrl: '/link',
      resultTitle: '/title',
      resultSnippet: '/snippet',
      answered: '/searchParameters',
    },
  ],
  [
    'serpapi',
    {
      [PRESET_QUERY]:
        'engine=google&q={query}&start={offset}&gl={country}&tbs={time}&api_key={key}',
      headers: {},
      pageSize: 10,
      times: { d: 'qdr:d', w: 'qdr:w', m: 'qdr:m', y: 'qdr:y' },
      results: '/organic_results',
      resultUrl: '/link',
      resultTitle: '/title',
      resultSnippet: '/snippet',
      answered: '/search_information',
    },
  ],
]);
