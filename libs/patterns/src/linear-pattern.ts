import { RE2JS } from 're2js';

/** Longest pattern accepted from a request, and the states it may compile to. */
interface PatternLimits {
  readonly maxChars: number;
  readonly maxStates: number;
}

const LIMITS: PatternLimits = { maxChars: 500, maxStates: 500 };
/** The longest text a pattern is tried on. */
const MAX_PATTERN_INPUT_CHARS = 10_000;

/** A pattern that cannot be matched in linear time, or is none. The message says why. */
class PatternError extends Error {}

/** Of the states that the engine keeps from one text to the next; by itself it would keep 8 MB for each pattern. */
const MAX_STATES_BYTES = 65_536;
const MAX_UNION_BYTES = 1_048_576;

/**
 * A pattern that came in a request, matched in time linear in the text whatever the pattern, where
 * the built-in engine may need exponential time. Searches anywhere in the text, as JSON Schema's
 * `pattern` does, and means what ECMAScript says with the flag `u`.
 */
export class LinearPattern {
  private readonly program: RE2JS;

  /** @throws PatternError */
  constructor(
    readonly source: string,
    { maxChars, maxStates }: PatternLimits = LIMITS,
  ) {
    if (source.length > maxChars) throw new PatternError(`is longer than ${maxChars} characters`);
    assertValid(source);
    this.program = compiled(withoutDialect(source), MAX_STATES_BYTES);
    if (this.states > maxStates) throw new PatternError('is too complex');
  }

  /** A text longer than `MAX_PATTERN_INPUT_CHARS` never matches. */
  test(text: string): boolean {
    return text.length <= MAX_PATTERN_INPUT_CHARS && this.program.test(text);
  }

  /** What matching costs for each character of a text, at most. */
  get states(): number {
    return this.program.re2().prog.numInst();
  }

  /** Identifies the pattern; validators keep them by this. */
  toString(): string {
    return `/${this.source}/u`;
  }
}

/** A pattern of a request, or why it is refused. */
export function readPattern(source: string, limits = LIMITS): LinearPattern | string {
  try {
    return new LinearPattern(source, limits);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** Why a pattern of a request is refused; null: it can be used. */
export function patternProblem(source: string): string | null {
  const read = readPattern(source);
  return typeof read === 'string' ? read : null;
}

/** Texts that are looked for between the same patterns, of which those can be used, see {@link readPattern}. */
export interface UnionTexts {
  readonly before: string;
  readonly texts: readonly string[];
  readonly after: string;
}

/**
 * Whether any of many patterns is found in a text, in one pass over it: texts share the states of what they begin with, so
 * their number hardly matters.
 */
export class LinearUnion {
  private readonly program: RE2JS;

  constructor(groups: readonly UnionTexts[]) {
    const sources = groups.map(({ before, texts, after }) => {
      // Only neighbours share states.
      const either = [...texts].sort().map(escaped).join('|');
      return `(?:${withoutDialect(before)}(?:${either})${withoutDialect(after)})`;
    });
    this.program = compiled(sources.join('|'), MAX_UNION_BYTES);
  }

  /** A text longer than `MAX_PATTERN_INPUT_CHARS` never matches. */
  test(text: string): boolean {
    return text.length <= MAX_PATTERN_INPUT_CHARS && this.program.test(text);
  }
}

/** The pattern that a text is. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Compiling costs nothing that grows; only matching with the built-in engine would. */
function assertValid(source: string): void {
  try {
    void new RegExp(source, 'u');
  } catch {
    throw new PatternError('is not a valid regular expression');
  }
}

function compiled(source: string, maxStatesBytes: number): RE2JS {
  const program = compiledLinear(RE2JS.translateRegExp(source));
  const { dfa } = program.re2();
  dfa.stateBudget = maxStatesBytes;
  dfa.memBudget = maxStatesBytes;
  return program;
}

function compiledLinear(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const isLarge = /repeat|large/.test((error as Error).message);
    throw new PatternError(isLarge ? 'is too complex' : 'uses a property that is not supported');
  }
}

const TOKEN =
  /\\u(?<high>[dD][89abAB]..)\\u(?<low>[dD][c-fC-F]..)|\\[pP]\{(?<property>[^}]*)\}|\\.|\(\?(?:<?[=!]|<|:|)|[[\].]/gsu;

/** A pattern of ECMAScript that says the same to RE2, whose dots, spaces and classes are others. */
function withoutDialect(source: string): string {
  let isInClass = false;
  return source.replace(TOKEN, (token, ...more) => {
    const groups = more.at(-1) as Readonly<Record<string, string | undefined>>;
    const { high, low, property } = groups;
    if (high !== undefined && low !== undefined) return pairOf(high, low);
    if (property !== undefined) return `${token.slice(0, 2)}{${shortName(property)}}`;
    if (isInClass) {
      isInClass = token !== ']';
      return IN_CLASS[token] ?? token;
    }
    assertLinear(token);
    isInClass = token === '[';
    return OUTSIDE[token] ?? token;
  });
}

function assertLinear(token: string): void {
  if (/^\(\?<?[=!]/.test(token)) throw new PatternError('uses look-ahead or look-behind');
  if (token === '(?') throw new PatternError('uses a kind of group that is not supported');
  if (/^\\[1-9k]/.test(token)) throw new PatternError('uses a back reference');
}

const pairOf = (high: string, low: string): string => {
  const text = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return `\\u{${text.codePointAt(0)?.toString(16) ?? ''}}`;
};

const SPACES =
  '\\t-\\r \\u{a0}\\u{1680}\\u{2000}-\\u{200a}\\u{2028}\\u{2029}\\u{202f}\\u{205f}\\u{3000}\\u{feff}';
const OTHERS =
  '\\u{0}-\\u{8}\\u{e}-\\u{1f}!-\\u{9f}\\u{a1}-\\u{167f}\\u{1681}-\\u{1fff}\\u{200b}-\\u{2027}\\u{202a}-\\u{202e}\\u{2030}-\\u{205e}\\u{2060}-\\u{2fff}\\u{3001}-\\u{fefe}\\u{ff00}-\\u{10ffff}';

const OUTSIDE: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\u{2028}\\u{2029}]',
  '\\s': `[${SPACES}]`,
  '\\S': `[^${SPACES}]`,
};

/** `[` would open one of POSIX's classes. */
const IN_CLASS: Readonly<Record<string, string>> = {
  '[': '\\[',
  '\\b': '\\x08',
  '\\s': SPACES,
  '\\S': OTHERS,
};

/** RE2 knows the short names of general categories. */
const CATEGORIES = new Map(
  'Letter L,Cased_Letter LC,Uppercase_Letter Lu,Lowercase_Letter Ll,Titlecase_Letter Lt,Modifier_Letter Lm,Other_Letter Lo,Mark M,Nonspacing_Mark Mn,Spacing_Mark Mc,Enclosing_Mark Me,Number N,Decimal_Number Nd,Letter_Number Nl,Other_Number No,Punctuation P,Connector_Punctuation Pc,Dash_Punctuation Pd,Open_Punctuation Ps,Close_Punctuation Pe,Initial_Punctuation Pi,Final_Punctuation Pf,Other_Punctuation Po,Symbol S,Math_Symbol Sm,Currency_Symbol Sc,Modifier_Symbol Sk,Other_Symbol So,Separator Z,Space_Separator Zs,Line_Separator Zl,Paragraph_Separator Zp,Other C,Control Cc,Format Cf'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

function shortName(property: string): string {
  const name = property.replace(/^(?:General_Category|gc|Script|sc)=/, '');
  return CATEGORIES.get(name) ?? name;
}
