import { isJsonPointer } from '@app/egress';
import type { JsonShape } from '../results/read-json-results.js';
import { PRESET_QUERY, SERP_PRESETS } from './serp-presets.js';
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
} from './setting-rules.js';
import { SEARCH_PLACEHOLDERS } from './search-values.js';

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
