// What the chart repeats: its values as a table for the README, and the names of settings in its schema.
import { isMap, parseDocument } from 'yaml';

/** Variables that the chart sets itself, from its own keys. */
const CHART_SETTINGS = [
  ...['DATABASE_URL', 'BROKER_URL', 'BROKER_PREFIX', 'STORAGE_URL', 'STORAGE_PUBLIC_URL'],
  ...['HOST', 'PORT', 'PUBLIC_URL', 'METRICS_HOST', 'METRICS_PORT', 'DRAIN_SECONDS', 'DATA_DIR'],
  ...['MIGRATE_ON_START', 'FETCHER_QUEUES', 'CHROMIUM_PATH', 'BROWSER_SANDBOX', 'BROWSER_MAX'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_TRACES_SAMPLER_ARG'],
  ...['BROWSER_PAGES', 'DELETION_COST_POD', 'BROWSER_MAX_RSS_MIB'],
];

/** Rows of the table: `api.service.port | 80 | meaning`. A map in one line, or without entries, is one row. */
function rowsOf(map, keys) {
  return map.items.flatMap(({ key, value }) => {
    const path = [...keys, key.value];
    if (isMap(value) && value.items.length > 0 && !value.flow) return rowsOf(value, path);
    const fallback = JSON.stringify(value.toJSON());
    return [{ name: path.join('.'), fallback, meaning: meaningOf(key) }];
  });
}

/** The text after `# --` before a key, or nothing. */
function meaningOf(key) {
  return /(?:^|\n) ?-- (.*)$/.exec(key.commentBefore ?? '')?.[1] ?? '';
}

/** The chart's table, as Markdown. */
export function valuesTable(text) {
  const cell = (part) => part.replaceAll('|', '\\|');
  const rows = rowsOf(parseDocument(text).contents, []).map(
    ({ name, fallback, meaning }) => `| \`${name}\` | \`${cell(fallback)}\` | ${cell(meaning)} |`,
  );
  return ['| key | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The schema with the names of all settings an operator may set, and of those that are secrets. */
export function withSettings(schema, settings) {
  const free = Object.values(settings).filter(({ env }) => !CHART_SETTINGS.includes(env));
  const names = (isSecret) =>
    free
      .filter((one) => one.isSecret === isSecret)
      .map(({ env }) => env)
      .sort();
  const { definitions } = schema;
  // By name, not by `propertyNames`: Helm's error then says where the unknown name stands.
  const put = (isSecret, value) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names(isSecret).map((name) => [name, value])),
  });
  return {
    ...schema,
    definitions: {
      ...definitions,
      settings: put(false, { type: ['string', 'number', 'boolean'] }),
      secretSettings: put(true, { $ref: '#/definitions/secretKey' }),
    },
  };
}
