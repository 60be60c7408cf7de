import { MAX_PATH_PATTERN_CHARS, pathRegexesProblem, type PathRegexes } from '@app/crawl';
import { invalidRequest } from '../../http/invalid-request.js';
import { arrayOption } from '../options/read-options.js';

/** As many as POST /v1/crawl takes. */
const MAX_PATTERNS = 50;

/** Syntax that only a regular expression has; `*` alone is a glob, and means the same in paths such as `/blog/*`. */
const REGEX_SYNTAX = /[\^$\\([+|]|\.\*/;

/** Patterns of a crawl by their kind. */
export interface SortedPatterns {
  /** Path prefixes and globs. */
  readonly paths: readonly string[];
  readonly regexes: readonly string[];
}

/** Callers of /v2 send regular expressions over the path; those of /v1 prefixes and globs. @throws ApiError */
export function sortPatterns(value: unknown, name: string): SortedPatterns {
  if (value === undefined || value === null) return { paths: [], regexes: [] };
  const patterns = arrayOption(value, name, MAX_PATTERNS).map((entry) => patternOf(entry, name));
  return {
    paths: patterns.filter((pattern) => !REGEX_SYNTAX.test(pattern)),
    regexes: patterns.filter((pattern) => REGEX_SYNTAX.test(pattern)),
  };
}

function patternOf(entry: unknown, name: string): string {
  if (typeof entry !== 'string') throw invalidRequest(`\`${name}\` must be an array of strings`);
  if (entry.length > MAX_PATH_PATTERN_CHARS)
    throw invalidRequest(
      `an entry of \`${name}\` is longer than ${MAX_PATH_PATTERN_CHARS} characters`,
    );
  // The database stores neither.
  if (entry.includes('\0') || !entry.isWellFormed())
    throw invalidRequest(`an entry of \`${name}\` holds characters that cannot be stored`);
  return entry;
}

/** The same, if each can be matched in linear time. @throws ApiError */
export function usable(regexes: PathRegexes): PathRegexes {
  const problem = pathRegexesProblem(regexes);
  if (problem !== null) throw invalidRequest(problem);
  return regexes;
}
