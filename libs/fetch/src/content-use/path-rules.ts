import {
  compileRobotsPattern,
  decodeUnreserved,
  matchesPath,
  normalizeEscapes,
  normalizePath,
  type RobotsPattern,
} from '../robots/robots-pattern.js';

/** Something that is said of the paths that a pattern of robots.txt matches (RFC 9309 2.2.3). */
export interface PathRule<Value> {
  readonly pattern: RobotsPattern;
  readonly value: Value;
}

/** Rules kept of one file. */
export const MAX_PATH_RULES = 1_000;
/** Memory of a rule, or of a licence, beside its text. */
export const RULE_BYTES = 512;
/** Part of a path that patterns are compared with: with all rules a few milliseconds at most. */
const MAX_PATH_CHARS = 4_096;

/** @param path as written; empty: every path */
export function pathRule<Value>(path: string, value: Value): PathRule<Value> {
  const bytes = Buffer.from(path.slice(0, MAX_PATH_CHARS)).toString('latin1');
  return { pattern: compileRobotsPattern(decodeUnreserved(normalizeEscapes(bytes))), value };
}

/** The spelling of a URL's path that rules are compared with. */
export function comparedPath({ pathname, search }: URL): string {
  return decodeUnreserved(normalizePath((pathname + search).slice(0, MAX_PATH_CHARS)));
}

/** The values of the longest pattern that matches: several where it is written several times. */
export function longestMatches<Value>(rules: readonly PathRule<Value>[], path: string): Value[] {
  let longest = -1;
  let values: Value[] = [];
  for (const { pattern, value } of rules) {
    if (pattern.length < longest || !matchesPath(pattern, path)) continue;
    if (pattern.length > longest) values = [];
    longest = pattern.length;
    values.push(value);
  }
  return values;
}

/** The value of the first pattern that matches. */
export function firstMatch<Value>(
  rules: readonly PathRule<Value>[],
  path: string,
): Value | undefined {
  return rules.find(({ pattern }) => matchesPath(pattern, path))?.value;
}
