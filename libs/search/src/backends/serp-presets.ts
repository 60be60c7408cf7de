import type { SettingFields } from './setting-rules.js';

/** The query that a preset adds to the operator's address; empty: it sends a body. */
export const PRESET_QUERY = 'query';

/**
 * Shapes of known search APIs: fields of a setting, without the address and the key, which are the operator's. A field of
 * the operator's own goes before one of the preset.
 */
export const SERP_PRESETS: ReadonlyMap<string, SettingFields> = new Map([
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
