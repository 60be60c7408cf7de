import { RE2JS } from 're2js';
import { hasNode, type PatternNode } from './pattern-node.js';
import { parsePattern } from './parse-pattern.js';
import { PatternProblem } from './pattern-problem.js';
import { checkSize, maxMatchChars, nestedRepeats, renderPattern } from './render-pattern.js';
import { requiredLiterals } from './required-literals.js';

/** What no match reaches beyond; a pattern that could is cut to it. */
const MAX_REACH_CHARS = 16_384;
/** What the linear engine may remember of one pattern between two texts. */
const MAX_STATES_BYTES = 65_536;

type Groups = readonly (string | undefined)[];

/** A pattern ready to run. Never case-sensitive. */
export interface CompiledPattern {
  readonly text: string;
  /** Percent. */
  readonly confidence: number;
  /** Template of the version; null when the pattern says nothing of it. */
  readonly version: string | null;
  /** Matches whatever is there, even nothing. */
  readonly isEmpty: boolean;
  /** Lower-case strings of which every match contains one; null: has to be tried on every text. */
  readonly literals: readonly string[] | null;
  /** Characters before and after a literal that a match can take. */
  readonly reachChars: number;
  /**
   * Where a match must lie: `start` begins with the text, `whole` needs all of it for its anchors.
   */
  readonly place: 'anywhere' | 'start' | 'whole';
  /** Tests the edges of words, so a text may not be cut within one. */
  readonly judgesWords: boolean;
  /**
   * V8 runs it: only in a thread that can be killed. Known from the features of the pattern, and
   * surely once it has run.
   */
  readonly isBacktracking: boolean;
  test(text: string): boolean;
  /** The groups of the first match, the whole match first. */
  match(text: string): Groups | null;
}

/** Compiles a pattern with its tags, or says why it cannot be. */
export function compilePattern(
  text: string,
): { readonly pattern: CompiledPattern } | { readonly problem: string } {
  try {
    return { pattern: compiled(text) };
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    return { problem: `pattern '${shortened(text)}' ${error.message}` };
  }
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function compiled(text: string): CompiledPattern {
  const { source, version, confidence } = readTags(text);
  const node = parsePattern(source);
  checkSize(node);
  const backtracking = backtrackingEngine(node);
  const engine = needsBacktracking(node) ? backtracking : linearEngine(node, backtracking);
  const literals = requiredLiterals(node);
  return {
    text,
    confidence,
    version,
    isEmpty: source === '',
    literals,
    reachChars: Math.min(maxMatchChars(node), MAX_REACH_CHARS),
    place: placeOf(node, literals !== null),
    judgesWords: hasNode(node, isWordEdge),
    get isBacktracking() {
      return engine.isBacktracking();
    },
    test: (value) => engine.test(value),
    match: (value) => engine.match(value),
  };
}

function placeOf(node: PatternNode, hasLiterals: boolean): CompiledPattern['place'] {
  if (node.kind === 'sequence') {
    const [first, ...rest] = node.items;
    const isAtStart = first?.kind === 'assert' && first.source === '^';
    if (isAtStart && !rest.some((item) => hasNode(item, isAnchor))) return 'start';
  }
  if (hasNode(node, isAnchor)) return 'whole';
  // What looks around it sees a cut; near its literals a piece reaches beyond its assertions.
  return hasLiterals || !hasNode(node, ({ kind }) => kind === 'look') ? 'anywhere' : 'whole';
}

function isAnchor(node: PatternNode): boolean {
  return node.kind === 'assert' && (node.source === '^' || node.source === '$');
}

function isWordEdge(node: PatternNode): boolean {
  return node.kind === 'assert' && !isAnchor(node);
}

/** The linear engine refuses repetitions within repetitions that come to more than this. */
const MAX_NESTED_REPEATS = 1_000;
/** Escapes within a class that mean something else to the linear engine, or nothing. */
const FOREIGN_ESCAPE = /\\[bBAzQEpP1-9]/;

function needsBacktracking(node: PatternNode): boolean {
  return nestedRepeats(node) > MAX_NESTED_REPEATS || hasNode(node, isForeign);
}

function isForeign(one: PatternNode): boolean {
  if (one.kind === 'look' || one.kind === 'backreference') return true;
  return one.kind === 'set' && one.source.startsWith('[') && FOREIGN_ESCAPE.test(one.source);
}

interface Engine {
  isBacktracking(): boolean;
  test(text: string): boolean;
  match(text: string): Groups | null;
}

function backtrackingEngine(node: PatternNode): Engine {
  const source = renderPattern(node, true);
  const regex = ((): RegExp => {
    try {
      return new RegExp(source, 'i');
    } catch (error) {
      throw new PatternProblem(`is no regular expression: ${(error as Error).message}`);
    }
  })();
  return {
    isBacktracking: () => true,
    test: (text) => regex.test(text),
    match: (text) => regex.exec(text),
  };
}

/**
 * Compiled when it first runs: most patterns of a large table never meet their literal, and a
 * program takes a hundred times as long to make as to parse. What V8 takes and this engine does not
 * goes to V8.
 */
function linearEngine(node: PatternNode, fallback: Engine): Engine {
  let program: RE2JS | null | undefined;
  const get = (): RE2JS | null => (program ??= program === null ? null : compileLinear(node));
  return {
    isBacktracking: () => program === null,
    test(text) {
      const linear = get();
      if (linear === null) return fallback.test(text);
      const isFound = linear.test(text);
      if (statesBytes(linear) > MAX_STATES_BYTES) program = undefined;
      return isFound;
    },
    match: (text) => get()?.exec(text) ?? (get() === null ? fallback.match(text) : null),
  };
}

function compileLinear(node: PatternNode): RE2JS | null {
  try {
    const source = RE2JS.translateRegExp(renderPattern(node, false));
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  } catch {
    // Not of the engine's dialect; the caller has one that takes it.
    return null;
  }
}

/**
 * Up to 8 MB of states are kept for each pattern otherwise, which a hostile page could make of
 * thousands.
 */
function statesBytes(linear: RE2JS): number {
  const { lazyDFA } = linear.re2();
  return (lazyDFA as typeof lazyDFA | null) === null ? 0 : lazyDFA.maxMem - lazyDFA.memBudget;
}

/** A pattern text taken apart at its `\;`. */
interface TaggedPattern {
  readonly source: string;
  /** Template of the version, null without one. */
  readonly version: string | null;
  /** Percent, 1 to 100. */
  readonly confidence: number;
}

/** Reads `regex\;version:\1\;confidence:50`. Tags of other names are ignored, as other readers do. */
export function readTags(text: string): TaggedPattern {
  const [source = '', ...tags] = text.split('\\;');
  const valueOf = (name: string): string | undefined =>
    tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    source,
    version: valueOf('version') || null,
    confidence: percent(valueOf('confidence')),
  };
}

function percent(text: string | undefined): number {
  const value = Number(text ?? 100);
  return Number.isFinite(value) ? Math.min(100, Math.max(1, Math.round(value))) : 100;
}
