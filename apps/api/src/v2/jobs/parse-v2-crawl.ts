import { isStorable } from '@app/content';
import { ApiError } from '@app/contracts';
import { MAX_PATH_PATTERN_CHARS, MAX_PATH_PATTERNS } from '@app/crawl';
import type { CrawlExtras } from '../../crawl/crawl.service.js';
import { CrawlRequest } from '../../crawl/crawl.dto.js';
import { parseBody } from '../../http/validation.pipe.js';
import { requireMarkdown } from '../options/formats.js';
import {
  booleanOption,
  integerOption,
  isOn,
  objectOption,
  readOptions,
  arrayOption,
  type V2Fields,
} from '../options/read-options.js';
import { withScheme } from '../options/target.js';
import type { Warnings } from '../options/warnings.js';
import { webhookOf } from '../options/webhook.js';
import {
  CONTENT_OPTIONS,
  contentOf,
  maxAgeOf,
  REFUSED_ON_PAGES,
} from '../scrape/parse-v2-scrape.js';
import { UNSTORABLE } from '../../http/fields.js';
import { invalidRequest } from '../../http/invalid-request.js';

/** Options that no job of /v2 has, with the reason. */
export const REFUSED_ON_JOBS: Readonly<Record<string, string>> = {
  ...REFUSED_ON_PAGES,
  zeroDataRetention: 'results of a job are stored',
};

const RULES = {
  honoured: [
    'url',
    'limit',
    'includePaths',
    'excludePaths',
    'regexOnFullURL',
    'maxDiscoveryDepth',
    'crawlEntireDomain',
    'ignoreRobotsTxt',
    'webhook',
    'scrapeOptions',
  ],
  refused: { ...REFUSED_ON_JOBS, prompt: 'a crawl is not planned by a model' },
};

/** Of POST /v1/crawl. */
const DEPTHS = { min: 0, max: 10_000 };

/** A crawl of /v2 in the terms of POST /v1/crawl. @throws ApiError */
export async function parseV2Crawl(
  body: V2Fields,
  warnings: Warnings,
): Promise<{ readonly request: CrawlRequest; readonly extras: CrawlExtras }> {
  const options = readOptions(body, RULES, warnings);
  const isOnUrl = booleanOption(options['regexOnFullURL'], 'regexOnFullURL') ?? false;
  const include = sortPatterns(options['includePaths'], 'includePaths', isOnUrl);
  const exclude = sortPatterns(options['excludePaths'], 'excludePaths', isOnUrl);
  const request = await parseBody(CrawlRequest, {
    url: withScheme(options['url']),
    limit: options['limit'],
    maxDepth: integerOption(options['maxDiscoveryDepth'], 'maxDiscoveryDepth', DEPTHS),
    allowBackwardLinks: booleanOption(options['crawlEntireDomain'], 'crawlEntireDomain'),
    ignoreRobotsTxt: options['ignoreRobotsTxt'],
    includePaths: include.paths,
    excludePaths: exclude.paths,
    webhook: webhookOf(options['webhook'], warnings),
    // Nothing of /v2 searches it.
    index: false,
    scrapeOptions: pageOptions(options['scrapeOptions'], 'scrapeOptions', warnings),
  });
  const hasRegexes = include.regexes.length + exclude.regexes.length > 0;
  const regexes = { include: include.regexes, exclude: exclude.regexes };
  const pathRegexes = isOnUrl ? { ...regexes, isOnUrl } : regexes;
  return { request, extras: hasRegexes ? { pathRegexes } : {} };
}

/** Options of the pages of a job, in the terms of /v1. @throws ApiError */
function pageOptions(value: unknown, name: string, warnings: Warnings): V2Fields {
  const at = `${name}.`;
  const rules = { honoured: JOB_PAGE_OPTIONS, refused: REFUSED_ON_JOBS, at };
  return jobPageOptions(readOptions(objectOption(value, name), rules, warnings), at, warnings);
}

/** `maxAge` is met by any fresh page. */
export const JOB_PAGE_OPTIONS = [
  'formats',
  'headers',
  'waitFor',
  'blockAds',
  'maxAge',
  'actions',
  ...CONTENT_OPTIONS,
];

/** @param at the object that holds the options, such as `scrapeOptions.` @throws ApiError */
export function jobPageOptions(options: V2Fields, at: string, warnings: Warnings): V2Fields {
  const { formats, headers, waitFor, blockAds, actions } = options;
  requireMarkdown(formats, `${at}formats`, warnings);
  maxAgeOf(options, at);
  if (isOn(actions)) {
    const problem = `\`${at}actions\` do not run on the pages of a job. Use POST /v2/scrape for single pages`;
    throw new ApiError('unsupported_action', { problem });
  }
  return { headers, waitFor, blockAds, ...contentOf(options) };
}

/** Syntax that only a regular expression has; `*` alone is a glob, and means the same in paths such as `/blog/*`. */
const REGEX_SYNTAX = /[\^$\\([+|]|\.\*/;

/** Patterns of a crawl by their kind. */
interface SortedPatterns {
  /** Path prefixes and globs. */
  readonly paths: readonly string[];
  readonly regexes: readonly string[];
}

/**
 * Callers of /v2 send regular expressions over the path; those of /v1 prefixes and globs. Whoever asks for the whole URL sends
 * regular expressions. @throws ApiError
 */
function sortPatterns(value: unknown, name: string, isOnUrl: boolean): SortedPatterns {
  if (value === undefined || value === null) return { paths: [], regexes: [] };
  const patterns = arrayOption(value, name, MAX_PATH_PATTERNS).map((entry) =>
    patternOf(entry, name),
  );
  // What repeats nothing is none.
  const isRegex = (pattern: string): boolean =>
    REGEX_SYNTAX.test(pattern) || (isOnUrl && !/^[*?]/.test(pattern));
  const { paths = [], regexes = [] } = Object.groupBy(patterns, (pattern) =>
    isRegex(pattern) ? 'regexes' : 'paths',
  );
  return { paths, regexes };
}

function patternOf(entry: unknown, name: string): string {
  if (typeof entry !== 'string') throw invalidRequest(`\`${name}\` must be an array of strings`);
  if (entry.length > MAX_PATH_PATTERN_CHARS)
    throw invalidRequest(
      `an entry of \`${name}\` is longer than ${MAX_PATH_PATTERN_CHARS} characters`,
    );
  if (!isStorable(entry)) throw invalidRequest(`an entry of \`${name}\` ${UNSTORABLE}`);
  return entry;
}
