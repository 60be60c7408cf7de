import { ApiError } from '@app/contracts';
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
import { sortPatterns, usable } from './path-patterns.js';

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
  const include = sortPatterns(options['includePaths'], 'includePaths');
  const exclude = sortPatterns(options['excludePaths'], 'excludePaths');
  const request = await parseBody(CrawlRequest, {
    url: withScheme(options['url']),
    limit: options['limit'],
    maxDepth: integerOption(options['maxDiscoveryDepth'], 'maxDiscoveryDepth', DEPTHS),
    allowBackwardLinks: booleanOption(options['crawlEntireDomain'], 'crawlEntireDomain'),
    ignoreRobotsTxt: options['ignoreRobotsTxt'],
    includePaths: include.paths,
    excludePaths: exclude.paths,
    webhook: webhookOf(options['webhook'], warnings),
    scrapeOptions: pageOptions(options['scrapeOptions'], 'scrapeOptions', warnings),
  });
  const hasRegexes = include.regexes.length + exclude.regexes.length > 0;
  const pathRegexes = { include: include.regexes, exclude: exclude.regexes };
  return { request, extras: hasRegexes ? { pathRegexes: usable(pathRegexes) } : {} };
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
  'maxAge',
  'actions',
  ...CONTENT_OPTIONS,
];

/** @param at the object that holds the options, such as `scrapeOptions.` @throws ApiError */
export function jobPageOptions(options: V2Fields, at: string, warnings: Warnings): V2Fields {
  const { formats, headers, waitFor, actions } = options;
  requireMarkdown(formats, `${at}formats`, warnings);
  maxAgeOf(options, at);
  if (isOn(actions)) {
    const problem = `\`${at}actions\` do not run on the pages of a job. Use POST /v2/scrape for single pages`;
    throw new ApiError('unsupported_action', { problem });
  }
  return { headers, waitFor, ...contentOf(options) };
}
