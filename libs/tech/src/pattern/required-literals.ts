import type { PatternNode, RepeatNode } from './pattern-node.js';

/** Ways a run of characters may be spelled before it is cut in two. */
const MAX_SPELLINGS = 16;
const MAX_LITERALS = 64;
const MAX_LITERAL_CHARS = 40;

/** On nearly every page: a literal within one of these says little. */
const COMMON = [
  'https://www.',
  'http://www.',
  '.min.js',
  '.min.css',
  '.com/',
  '.html',
  '<script src="',
  '<script type="text/javascript"',
  '</script>',
  '<link rel="stylesheet" href="',
  '<meta name="',
  '" content="',
  '<div class="',
  '<div id="',
  '<a href="',
  '<img src="',
  '<!-- ',
  ' -->',
  'function',
  'window.',
  'powered by ',
];

interface Needs {
  /** Every match is one of these; null when they are too many to say. */
  readonly exact: readonly string[] | null;
  /** Every match holds one of these; null when nothing can be said. */
  readonly some: readonly string[] | null;
}

const NOTHING: Needs = { exact: null, some: null };
const EMPTY: Needs = { exact: [''], some: null };

/**
 * Strings in lower case of which every match of the pattern contains at least one, whatever the case of its
 * letters; null when there are none of two characters or more. Only ASCII: how other letters change their case
 * differs between engines.
 */
export function requiredLiterals(node: PatternNode): readonly string[] | null {
  const { exact, some } = needsOf(node);
  const best = better(exact, some);
  if (best === null || best.some((literal) => literal.length < 2)) return null;
  return [...new Set(best)].sort();
}

function needsOf(node: PatternNode): Needs {
  switch (node.kind) {
    case 'text':
      return node.text.charCodeAt(0) < 128 ? exactly([lower(node.text)]) : NOTHING;
    case 'set':
      return setNeeds(node.chars);
    case 'assert':
    case 'look':
      return EMPTY;
    case 'backreference':
      return NOTHING;
    case 'group':
      return needsOf(node.body);
    case 'repeat':
      return repeatNeeds(node);
    case 'sequence':
      return sequenceNeeds(node.items);
    case 'choice':
      return choiceNeeds(node.options.map(needsOf));
  }
}

function exactly(exact: readonly string[]): Needs {
  return { exact, some: null };
}

/** Only ASCII letters, as the automaton does. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function setNeeds(chars: readonly string[] | null): Needs {
  if (chars === null || chars.some((char) => char.charCodeAt(0) >= 128)) return NOTHING;
  return exactly([...new Set(chars.map(lower))]);
}

function repeatNeeds({ of, min, max }: RepeatNode): Needs {
  const inner = needsOf(of);
  if (min === 0) {
    const isOptional = max === 1 && inner.exact !== null;
    return isOptional && inner.exact.length < MAX_SPELLINGS
      ? exactly([...inner.exact, ''])
      : NOTHING;
  }
  if (min === 1 && max === 1) return inner;
  return { exact: null, some: better(inner.exact, inner.some) };
}

function choiceNeeds(options: readonly Needs[]): Needs {
  const exact = joined(options.map((option) => option.exact));
  if (exact !== null && exact.length <= MAX_SPELLINGS) return exactly(exact);
  const some = joined(options.map((option) => better(option.exact, option.some)));
  return { exact: null, some: some !== null && some.length <= MAX_LITERALS ? some : null };
}

function joined(sets: readonly (readonly string[] | null)[]): readonly string[] | null {
  const all: string[] = [];
  for (const set of sets) {
    if (set === null) return null;
    all.push(...set);
  }
  return [...new Set(all)];
}

/** Runs of characters grow as long as what follows is known; of all runs and parts the best is kept. */
function sequenceNeeds(items: readonly PatternNode[]): Needs {
  let run: readonly string[] = [''];
  let best: readonly string[] | null = null;
  let isWhole = true;
  for (const item of items) {
    const needs = needsOf(item);
    const grown = needs.exact === null ? null : product(run, needs.exact);
    if (grown !== null) {
      run = grown;
      continue;
    }
    isWhole = false;
    best = better(better(best, run), needs.some);
    run = needs.exact ?? [''];
  }
  return isWhole ? exactly(run) : { exact: null, some: better(best, run) };
}

function product(left: readonly string[], right: readonly string[]): readonly string[] | null {
  if (left.length * right.length > MAX_SPELLINGS) return null;
  const all = left.flatMap((head) => right.map((tail) => head + tail));
  return all.every((text) => text.length <= MAX_LITERAL_CHARS) ? all : null;
}

/** The set that fewer texts can be expected to meet. */
function better(
  a: readonly string[] | null,
  b: readonly string[] | null,
): readonly string[] | null {
  const [ofA, ofB] = [worthOf(a), worthOf(b)];
  if (ofA === 0 && ofB === 0) return null;
  return ofB > ofA ? b : a;
}

/** 0: useless, for the empty string is in every text. */
function worthOf(set: readonly string[] | null): number {
  if (set === null || set.length === 0 || set.length > MAX_LITERALS) return 0;
  const least = Math.min(...set.map(rarity));
  return least === 0 ? 0 : Math.max(0.1, least - Math.log2(set.length) / 2);
}

function rarity(literal: string): number {
  const isCommon = COMMON.some((text) => text.includes(literal));
  return Math.min(literal.length, isCommon ? 1.5 : 14);
}
