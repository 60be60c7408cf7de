import { escaped, LinearUnion, readPattern, type UnionTexts } from '@app/patterns';

/** Most patterns of one list of a request, and the longest of them. */
export const MAX_PATH_PATTERNS = 1_000;
export const MAX_PATH_PATTERN_CHARS = 2_000;
/** Most wildcards in one pattern. */
export const MAX_WILDCARDS = 8;
/** States of all patterns of a crawl that are more than a text: each address may cost this much per character. */
export const MAX_PATTERN_STATES = 5_000;

/** Patterns of a crawl that are regular expressions. */
export interface PathRegexes {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Searched in the whole URL. @default in its path */
  readonly isOnUrl?: boolean;
}

/** The patterns of a crawl, by what they do. */
export interface PathPatterns {
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  /** Match beside them. @default none */
  readonly pathRegexes?: PathRegexes;
}

/** Why a pattern of a request is refused, or null. */
export function pathPatternProblem(text: string): string | null {
  const wildcards = text.match(/\*+/g)?.length ?? 0;
  return wildcards > MAX_WILDCARDS ? `has more than ${MAX_WILDCARDS} wildcards` : null;
}

/** Why the patterns of a request are refused, or null. */
export function pathPatternsProblem(patterns: PathPatterns): string | null {
  const { includePaths, excludePaths, pathRegexes } = patterns;
  const lists = [
    ['includePaths', read(includePaths, pathRegexes?.include)],
    ['excludePaths', read(excludePaths, pathRegexes?.exclude)],
  ] as const;
  // Their lengths were checked as they were sent.
  const limits = { maxChars: Infinity, maxStates: MAX_PATTERN_STATES };
  let states = 0;
  for (const [name, list] of lists)
    for (const { before, texts, after } of grouped(list.filter((one) => !isCompared(one)))) {
      const pattern = readPattern(before + after, limits);
      if (typeof pattern === 'string') return `an entry of \`${name}\` ${pattern}`;
      states += pattern.states + charsBeyond(texts);
      if (states > MAX_PATTERN_STATES) return TOO_COMPLEX;
    }
  return null;
}

const TOO_COMPLEX =
  'the wildcards and regular expressions of `includePaths` and `excludePaths` are too complex together: use fewer or simpler ones';

/** Short texts cost next to nothing, whatever their number. */
function charsBeyond(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + (length > MAX_COMPILED_CHARS ? length : 0), 0);
}

/** Whether a pattern says where in the site its paths are; `*.html` and such do not. */
export function namesPlace(text: string): boolean {
  return !/^[*?]/.test(text);
}

/** Whether any of the patterns matches a URL: one pass over it, however many they are. */
export function compilePathPatterns(
  paths: readonly string[],
  regexes: readonly string[] = [],
  isOnUrl = false,
): (url: URL) => boolean {
  const all = read(paths, regexes, isOnUrl);
  const parts = (['path', 'query', 'url'] as const).flatMap((part) => {
    const own = all.filter((one) => one.part === part);
    return own.length === 0 ? [] : [{ part, matches: compileMany(own) }];
  });
  return (url) => parts.some(({ part, matches }) => matches(partOf(url, part)));
}

/** What of a URL a pattern is compared with: its path; path and query; all but the fragment. */
type UrlPart = 'path' | 'query' | 'url';

function partOf({ href, hash, pathname, search }: URL, part: UrlPart): string {
  if (part === 'path') return pathname;
  return part === 'query' ? pathname + search : href.slice(0, href.length - hash.length);
}

/** A text between two patterns. Those of most lists differ in the text alone, so they are compiled together. */
interface PathPattern {
  readonly part: UrlPart;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

function read(
  paths: readonly string[],
  regexes: readonly string[] = [],
  isOnUrl = false,
): readonly PathPattern[] {
  return [...paths.map(ofPath), ...regexes.map((source) => ofRegex(source, isOnUrl))];
}

const AT_START = '^';
const AT_END = '$';
const FOLDER = '(?:/|$)';
const SEGMENT = '[^/]*$';

/**
 * `includePaths` and `excludePaths` grammar. Without a `*`, a path and everything below it: `/docs` matches `/docs` and
 * `/docs/a` but not `/docs-old`. With a `*`, a glob over the whole path: `*` matches any characters but `/`, `**` any
 * characters. With a `?` it is compared with path and query, which begin with it unless it has a `*`; one that begins with
 * the `?` is the beginning of a parameter. A missing leading slash is added.
 */
function ofPath(sent: string): PathPattern {
  const pattern = /^[/*?]/.test(sent) ? sent : `/${sent}`;
  const part = pattern.includes('?') ? 'query' : 'path';
  const [first = '', ...rest] = pattern.match(/\*\*|\*|[^*]+/g) ?? [];
  if (first.startsWith('?')) {
    const after = rest.map((token) => globSource(token.replace(/^\*$/, '**'))).join('');
    return { part, before: '\\?(?:.*&)?', text: first.slice(1), after };
  }
  if (!pattern.includes('*')) {
    const isOpen = pattern.endsWith('/') || part === 'query';
    return { part, before: AT_START, text: pattern, after: isOpen ? '' : FOLDER };
  }
  const isAnywhere = first === '**';
  const [text = '', ...more] = isAnywhere ? rest : [first, ...rest];
  const isText = !text.startsWith('*');
  const end = [...(isText ? [] : [text]), ...more];
  const after = end.length === 1 && end[0] === '**' ? '' : end.map(globSource).join('') + AT_END;
  return { part, before: isAnywhere ? '' : AT_START, text: isText ? text : '', after };
}

function globSource(token: string): string {
  if (token === '**') return '.*';
  return token === '*' ? '[^/]*' : escaped(token);
}

/** An anchor and the text that an expression begins with. A text has no syntax but escapes. */
const TEXT_FIRST =
  /^(?<start>\^?)(?<any>(?:\.\*)?)(?<text>(?:\\[^A-Za-z0-9\s]|[^\\^$.*+?()[\]{}|])*)/;
/** Of an expression that is searched, `.*` at its end says nothing. */
const OPEN_END = /^(?:\.\*\$?)?$/;

function ofRegex(sent: string, isOnUrl: boolean): PathPattern {
  const part = isOnUrl ? 'url' : 'path';
  const found = TEXT_FIRST.exec(sent);
  const { start = '', any = '', text = '' } = found?.groups ?? {};
  const rest = sent.slice(found?.[0].length ?? 0);
  // What repeats or is an alternative may begin within the text.
  if (/^[*+?{]|\|/.test(rest)) return { part, before: '', text: '', after: withPlainEscapes(sent) };
  return {
    part,
    before: any === '' ? start : '',
    text: text.replace(/\\(.)/gu, '$1'),
    after: OPEN_END.test(rest) ? '' : withPlainEscapes(rest),
  };
}

/** Many libraries escape all punctuation; the standard knows escapes of syntax only. */
function withPlainEscapes(source: string): string {
  return source.replace(/\\([^])/g, (all, one: string) =>
    /[-!"#%&',:;<=>@_`~ ]/.test(one) ? `\\x${one.charCodeAt(0).toString(16)}` : all,
  );
}

/** A longer text is compared as one where it can be: its states would take more memory than those of all others. */
const MAX_COMPILED_CHARS = 32;

function compileMany(patterns: readonly PathPattern[]): (text: string) => boolean {
  const texts = patterns.filter(isCompared);
  const groups = grouped(patterns.filter((one) => !isCompared(one)));
  const union = groups.length === 0 ? null : new LinearUnion(groups);
  return (text) => union?.test(text) === true || texts.some((one) => isIn(text, one));
}

function grouped(patterns: readonly PathPattern[]): UnionTexts[] {
  const groups = Map.groupBy(patterns, ({ before, after }) => `${before}\0${after}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, texts: group.map(({ text }) => text) }];
  });
}

function isCompared({ text, before, after }: PathPattern): boolean {
  if (text.length <= MAX_COMPILED_CHARS) return false;
  if (before === '') return after === '' || after === AT_END;
  return before === AT_START && ['', AT_END, FOLDER, SEGMENT].includes(after);
}

function isIn(text: string, { text: wanted, before, after }: PathPattern): boolean {
  if (before === '') return after === '' ? text.includes(wanted) : text.endsWith(wanted);
  if (!text.startsWith(wanted)) return false;
  const rest = text.slice(wanted.length);
  if (after === SEGMENT) return !rest.includes('/');
  return after === '' || rest === '' || (after === FOLDER && rest.startsWith('/'));
}
