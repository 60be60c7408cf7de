import { MAX_SELECTOR_CHARS, MAX_SELECTORS, selectorProblem } from '@app/content';
import { LinearPattern, patternProblem } from '@app/patterns';
import type {
  Connector,
  ConnectorContext,
  ConnectorParams,
  ConnectorRow,
} from '../port/connector.js';
import { keyOfFields } from '../port/identity-key.js';
import { usdPerRecord } from '../port/record-price.js';
import { textsOfParam } from './list-params.js';
import { pageDiff, type DiffRules, NOISE_SELECTORS } from './page-diff.js';
import { resultsOfWork } from './results-of-work.js';
import { BOOLEAN, paramsSchema, rowSchema, STRING, textsParam, URI } from './row-schemas.js';

const MAX_URLS = 100;
const MAX_URL_CHARS = 2_048;
const MAX_PATTERNS = 10;
const MAX_PATTERN_CHARS = 500;
/** States of all patterns together: matching costs as many steps for each character of a page. */
const MAX_STATES = 300;
/** UTF-16 units of the text of a page. */
const MAX_TEXT = 40_000;
const WIDTH = 5;
const SAMPLE = 5;
const MAX_OWN_SELECTORS = MAX_SELECTORS - NOISE_SELECTORS.length;

/** The text of pages, for feeds that deliver what changed in it. */
export const PAGE_CHANGES_CONNECTOR: Connector = {
  id: 'page_changes',
  title: 'Changes of pages',
  description: 'The main content of up to 100 pages as Markdown; a feed delivers the difference.',
  params: paramsSchema(
    {
      urls: textsParam('Pages to watch.', MAX_URLS, MAX_URL_CHARS),
      ignore_selectors: textsParam(
        'CSS selectors of elements that do not count.',
        MAX_OWN_SELECTORS,
        MAX_SELECTOR_CHARS,
      ),
      ignore_patterns: textsParam(
        'Regular expressions of lines that do not count.',
        MAX_PATTERNS,
        MAX_PATTERN_CHARS,
      ),
      ignore_noise: {
        ...BOOLEAN,
        default: true,
        description: 'Whether dates, times, counters and tokens count as equal.',
      },
      threshold: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        default: 0,
        description: 'A page has changed when more than this share of its lines differs.',
      },
    },
    ['urls'],
  ),
  schema: rowSchema({ url: URI, title: STRING, markdown: STRING, partial: BOOLEAN }, [
    'url',
    'markdown',
  ]),
  pricePerRecordUsd: usdPerRecord(1),
  keyOf: keyOfFields('url'),
  paramsProblem,
  changesOf(before, after, params) {
    const found = pageDiff(textOf(before), textOf(after), rulesOf(params));
    return found === null ? null : { diff: found.diff, changed_lines: found.changedLines };
  },
  match: ({ text, urls }) =>
    urls.length > 0 && /\b(?:changes?|changed|watch|monitor)\b/i.test(text)
      ? { score: 0.9, params: { urls: urls.slice(0, MAX_URLS) } }
      : null,
  async preview(params, context) {
    const urls = textsOfParam(params, 'urls');
    const rows: ConnectorRow[] = [];
    for await (const row of pagesOf(urls.slice(0, SAMPLE), params, context)) rows.push(row);
    return { rows, estimatedRows: new Set(urls).size };
  },
  run: (params, context) => pagesOf(textsOfParam(params, 'urls'), params, context),
};

async function* pagesOf(
  urls: readonly string[],
  params: ConnectorParams,
  { sources, signal }: ConnectorContext,
): AsyncGenerator<ConnectorRow> {
  const own = textsOfParam(params, 'ignore_selectors');
  const isNoiseOut = params['ignore_noise'] !== false;
  const excludeTags = [...own, ...(isNoiseOut ? NOISE_SELECTORS : [])];
  const read = async (url: string) => ({
    url,
    page: await sources.fetchPage(url, { onlyMainContent: true, excludeTags }),
  });
  for await (const { url, page } of resultsOfWork(new Set(urls), WIDTH, read)) {
    signal.throwIfAborted();
    if (page !== null) yield rowOf(url, page.markdown);
  }
}

function rowOf(url: string, markdown: string): ConnectorRow {
  const title = /^# (.{1,300})$/m.exec(markdown)?.[1];
  return {
    url,
    ...(title === undefined ? {} : { title }),
    markdown: markdown.slice(0, MAX_TEXT).toWellFormed(),
    ...(markdown.length > MAX_TEXT ? { partial: true } : {}),
  };
}

function textOf(row: ConnectorRow): string {
  return typeof row['markdown'] === 'string' ? row['markdown'] : '';
}

function rulesOf(params: ConnectorParams): DiffRules {
  const threshold = params['threshold'];
  return {
    ignorePatterns: textsOfParam(params, 'ignore_patterns').map((text) => new LinearPattern(text)),
    ignoreNoise: params['ignore_noise'] !== false,
    threshold: typeof threshold === 'number' ? threshold : 0,
  };
}

function paramsProblem(params: ConnectorParams): string | null {
  for (const text of textsOfParam(params, 'ignore_selectors')) {
    const problem = selectorProblem(text);
    if (problem !== null) return `\`ignore_selectors\`: an entry ${problem}`;
  }
  for (const text of textsOfParam(params, 'ignore_patterns')) {
    const problem = patternProblem(text);
    if (problem !== null) return `\`ignore_patterns\`: an entry ${problem}`;
  }
  const states = rulesOf(params).ignorePatterns.reduce((sum, one) => sum + one.states, 0);
  return states > MAX_STATES
    ? '`ignore_patterns` are too complex: use fewer or simpler ones'
    : null;
}
