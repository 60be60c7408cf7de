import { selectorProblem } from '@app/content';
import type { HtmlShape } from '../results/read-html-results.js';
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

/** A search engine's page of results, as the operator describes it. */
export interface HtmlSetting extends SearchTemplate {
  readonly shape: HtmlShape;
}

const FIELDS = [
  ...['url', 'key', 'headers', 'pageSize', 'times'],
  ...['results', 'link', 'title', 'snippet', 'none', 'ads', 'linkParameter'],
];
const DEFAULTS: SettingFields = {
  key: '',
  headers: {},
  pageSize: 10,
  times: null,
  link: 'a[href]',
  title: null,
  snippet: null,
  ads: null,
  linkParameter: null,
};

/** @throws Error naming the broken rule, without any value */
export function parseHtmlSetting(text: string): HtmlSetting {
  const fields = { ...DEFAULTS, ...parseSettingObject(text, FIELDS) };
  checkRules([...templateRules(fields), ...selectorRules(fields)]);
  const setting = { ...readTemplate(fields), shape: shapeOf(fields) };
  checkRules(placeholderRules(setting, SEARCH_PLACEHOLDERS));
  return setting;
}

function selectorRules(fields: SettingFields): readonly SettingRule[] {
  const selector = (name: string, isRequired: boolean): SettingRule => {
    const value = fields[name];
    if (value === null && !isRequired) return [name, true, ''];
    const problem = typeof value === 'string' ? selectorProblem(value) : 'must be a CSS selector';
    return [name, problem === null, problem ?? ''];
  };
  const { linkParameter } = fields;
  const isParameter = typeof linkParameter === 'string' && /^[\w.-]{1,64}$/.test(linkParameter);
  return [
    ...['results', 'link', 'none'].map((name) => selector(name, true)),
    ...['title', 'snippet', 'ads'].map((name) => selector(name, false)),
    ['linkParameter', linkParameter === null || isParameter, 'must be the name of a parameter'],
  ];
}

function shapeOf(fields: SettingFields): HtmlShape {
  const optional = (name: string): string | null =>
    fields[name] === null ? null : textField(fields, name);
  return {
    results: textField(fields, 'results'),
    link: textField(fields, 'link'),
    title: optional('title'),
    snippet: optional('snippet'),
    none: textField(fields, 'none'),
    ads: optional('ads'),
    unresponsive: null,
    linkParameter: optional('linkParameter'),
  };
}
