import type { Mark } from '../scan/mark.js';
import { AhoCorasick } from './aho-corasick.js';

/** On a short value fewer patterns are tried as quickly as the automaton is asked. */
const MIN_FILTERED = 6;
/** Hits nearer to each other than this are kept as one. */
const RUN_GAP_CHARS = 256;

/** Where in a text the literals of a pattern were found: from, to, from, to … in order. */
export type Runs = readonly number[];

export interface MarkCandidate {
  readonly mark: Mark;
  /** null: it has no literal, so it may match anywhere. */
  readonly runs: Runs | null;
}

/**
 * The marks of one kind of text by the literals they need: of thousands, those are named that can match a
 * given text, at a cost that does not depend on how many there are.
 */
export class MarkIndex {
  /** Made when it is first needed; null when no mark has a literal. */
  private made: AhoCorasick | null | undefined;
  private readonly literals: readonly string[];
  private readonly isFiltering: boolean;
  /** Indexes of marks by literal. */
  private readonly owners: readonly (readonly number[])[];
  private readonly always: readonly number[];
  private readonly stamps: Int32Array;
  private round = 0;

  constructor(readonly marks: readonly Mark[]) {
    const byLiteral = new Map<string, number[]>();
    const always: number[] = [];
    for (const [index, { pattern }] of marks.entries()) {
      if (pattern.literals === null) always.push(index);
      for (const literal of pattern.literals ?? []) addTo(byLiteral, literal, index);
    }
    this.literals = [...byLiteral.keys()];
    this.isFiltering = marks.length - always.length >= MIN_FILTERED;
    this.owners = [...byLiteral.values()];
    this.always = always;
    this.stamps = new Int32Array(marks.length);
  }

  private get automaton(): AhoCorasick | null {
    return (this.made ??= this.literals.length === 0 ? null : new AhoCorasick(this.literals));
  }

  /** Marks that can match a short value, in the order of their making. */
  candidates(value: string): readonly Mark[] {
    const automaton = this.isFiltering ? this.automaton : null;
    if (automaton === null) return this.marks;
    const round = ++this.round;
    const found = [...this.always];
    automaton.scan(value, (literal) => {
      for (const index of this.owners[literal] ?? []) {
        if (this.stamps[index] === round) continue;
        this.stamps[index] = round;
        found.push(index);
      }
    });
    return found.sort((a, b) => a - b).flatMap((index) => this.marks[index] ?? []);
  }

  /** Marks that can match a long text, each with where its literals are. */
  located(text: string): readonly MarkCandidate[] {
    const { automaton } = this;
    if (automaton === null) return this.marks.map((mark) => ({ mark, runs: null }));
    const byMark = new Map<number, number[][]>();
    for (const [literal, runs] of runsOf(automaton, text))
      for (const index of this.owners[literal] ?? []) addTo(byMark, index, runs);
    const found = [...byMark].map(([index, lists]) => ({ index, runs: joinRuns(lists) }));
    for (const index of this.always) found.push({ index, runs: null });
    return found
      .sort((a, b) => a.index - b.index)
      .flatMap(({ index, runs }) => {
        const mark = this.marks[index];
        return mark === undefined ? [] : [{ mark, runs }];
      });
  }
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function runsOf(automaton: AhoCorasick, text: string): ReadonlyMap<number, number[]> {
  const byLiteral = new Map<number, number[]>();
  automaton.scan(text, (literal, end) => {
    const from = end - (automaton.literals[literal]?.length ?? 0);
    const runs = byLiteral.get(literal);
    if (runs === undefined) byLiteral.set(literal, [from, end]);
    else if (from - (runs.at(-1) ?? 0) < RUN_GAP_CHARS) runs[runs.length - 1] = end;
    else runs.push(from, end);
  });
  return byLiteral;
}

function joinRuns(lists: readonly (readonly number[])[]): Runs | null {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const pairs: [number, number][] = [];
  for (const list of lists)
    for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? 0, list[at + 1] ?? 0]);
  return pairs.sort((a, b) => a[0] - b[0]).flat();
}
