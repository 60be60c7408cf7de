import { MAX_PATTERN_CHARS, MAX_PATTERN_INPUT_CHARS, MAX_PATTERN_STATES } from '../../limits.js';
import { parsePattern, PatternError, type PatternNode } from './parse-pattern.js';

type CharacterTest = (character: string) => boolean;

type Step =
  | { readonly kind: 'char'; readonly test: CharacterTest }
  | { readonly kind: 'assert'; readonly where: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'fork'; to: number; orTo: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

/**
 * A pattern that came in a request, matched in time linear in the text whatever the pattern
 * (all its states are followed at once, as RE2 does), where the built-in engine may need
 * exponential time. Searches anywhere in the text, as JSON Schema's `pattern` does.
 */
export class LinearPattern {
  private readonly program: Step[] = [];
  /** By their source: a repeated one is made once. */
  private readonly tests = new Map<string, CharacterTest>();

  /** @throws PatternError */
  constructor(readonly source: string) {
    if (source.length > MAX_PATTERN_CHARS) {
      throw new PatternError(`is longer than ${MAX_PATTERN_CHARS} characters`);
    }
    assertValid(source);
    this.emit(parsePattern(source));
    this.push({ kind: 'match' });
  }

  /** A text longer than `MAX_PATTERN_INPUT_CHARS` never matches. */
  test(text: string): boolean {
    if (text.length > MAX_PATTERN_INPUT_CHARS) return false;
    const characters = Array.from(text);
    let states: number[] = [];
    for (let at = 0; ; at++) {
      const reached = new Set<number>();
      for (const state of states) if (this.follow(state, characters, at, reached)) return true;
      if (this.follow(0, characters, at, reached)) return true;
      const character = characters[at];
      if (character === undefined) return false;
      states = this.advance(reached, character);
    }
  }

  /** Identifies the pattern; validators keep them by this. */
  toString(): string {
    return `/${this.source}/u`;
  }

  /** All states reached without a character; true when one of them is the end. */
  private follow(from: number, characters: readonly string[], at: number, reached: Set<number>) {
    const open = [from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (reached.has(state)) continue;
      reached.add(state);
      const step = this.program[state];
      if (step === undefined || step.kind === 'char') continue;
      if (step.kind === 'match') return true;
      if (step.kind === 'assert') {
        if (holds(step.where, characters, at)) open.push(state + 1);
        continue;
      }
      open.push(step.to);
      if (step.kind === 'fork') open.push(step.orTo);
    }
    return false;
  }

  private advance(reached: ReadonlySet<number>, character: string): number[] {
    const next: number[] = [];
    for (const state of reached) {
      const step = this.program[state];
      if (step?.kind === 'char' && step.test(character)) next.push(state + 1);
    }
    return next;
  }

  private push(step: Step): number {
    if (this.program.length >= MAX_PATTERN_STATES) throw new PatternError('is too complex');
    return this.program.push(step) - 1;
  }

  private emit(node: PatternNode): void {
    switch (node.kind) {
      case 'char':
        return void this.push({ kind: 'char', test: this.testOf(node.source) });
      case 'assert':
        return void this.push(node);
      case 'sequence':
        return node.of.forEach((part) => this.emit(part));
      case 'choice':
        return this.emitChoice(node.of);
      case 'repeat':
        return this.emitRepeat(node.of, node.min, node.max);
    }
  }

  private testOf(source: string): CharacterTest {
    const known = this.tests.get(source);
    if (known) return known;
    const test = characterTest(source);
    this.tests.set(source, test);
    return test;
  }

  private emitChoice(branches: readonly PatternNode[]): void {
    const exits: { to: number }[] = [];
    branches.forEach((branch, index) => {
      const isLast = index === branches.length - 1;
      const fork = { kind: 'fork' as const, to: this.program.length + 1, orTo: 0 };
      if (!isLast) this.push(fork);
      this.emit(branch);
      const exit = { kind: 'jump' as const, to: 0 };
      this.push(exit);
      exits.push(exit);
      fork.orTo = this.program.length;
    });
    for (const exit of exits) exit.to = this.program.length;
  }

  private emitRepeat(of: PatternNode, min: number, max: number): void {
    if (max < min) throw new PatternError('has a quantifier whose numbers are out of order');
    for (let times = 0; times < min; times++) {
      const before = this.program.length;
      this.emit(of);
      // Nothing, however often.
      if (this.program.length === before) break;
    }
    if (max === Infinity) return this.emitLoop(of);
    const forks: { orTo: number }[] = [];
    for (let times = min; times < max; times++) {
      const fork = { kind: 'fork' as const, to: this.program.length + 1, orTo: 0 };
      const at = this.push(fork);
      forks.push(fork);
      this.emit(of);
      if (this.program.length === at + 1) break;
    }
    for (const fork of forks) fork.orTo = this.program.length;
  }

  private emitLoop(of: PatternNode): void {
    const fork = { kind: 'fork' as const, to: this.program.length + 1, orTo: 0 };
    const start = this.push(fork);
    this.emit(of);
    this.push({ kind: 'jump', to: start });
    fork.orTo = this.program.length;
  }
}

/** Why a pattern of a request is refused; null: it can be used. */
export function patternProblem(source: string): string | null {
  try {
    void new LinearPattern(source);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** Compiling costs nothing that grows; only matching with the built-in engine would. */
function assertValid(source: string): void {
  try {
    void new RegExp(source, 'u');
  } catch {
    throw new PatternError('is not a valid regular expression');
  }
}

/** The built-in engine decides about one character, which is constant work. */
function characterTest(source: string): CharacterTest {
  const pattern = new RegExp(`^${source}$`, 'u');
  return (character) => pattern.test(character);
}

function holds(
  where: 'start' | 'end' | 'word' | 'inside',
  characters: readonly string[],
  at: number,
): boolean {
  if (where === 'start') return at === 0;
  if (where === 'end') return at === characters.length;
  const isEdge = isWord(characters[at - 1]) !== isWord(characters[at]);
  return where === 'word' ? isEdge : !isEdge;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
