import type { IndustryRow } from './industry-row.js';

/** A term of an industry in a text. */
export interface FoundTerm {
  readonly term: string;
  readonly naics: string;
  readonly isStrong: boolean;
  /** In all its places it names an audience, or a thing that is made, sold or taught for it. */
  readonly isAside: boolean;
  /** In all its places it is in the plural. */
  readonly isPlural: boolean;
}

type Entry = Pick<FoundTerm, 'naics' | 'isStrong'>;

/** Behind a trade they name a thing for it, or about it: `gym equipment`, `pet insurance`, `plumbing market report`. */
const THINGS = new Set(
  `equipment supply fixture fitting machine part insurance report market industry software app tool checker plugin
  template calculator generator job career franchise magazine news directory marketplace admission mat top shirt
  apparel wear clothing gear shoe bag accessory brochure truck game toy gift poster kit`.split(
    /\s+/,
  ),
);
/** What is taught: `graphic design course`, `digital marketing professional certification`. */
const TAUGHT = new Set('course certificate certification degree diploma bootcamp major'.split(' '));
const TAUGHT_WORDS = 2;

/** Words of the longest term. */
const MAX_TERM_WORDS = 4;
const MAX_WORDS = 1_000;
/** An audience follows one of these, until the sentence or its part ends. */
const FOR = new Set(['for', 'für', 'para', 'pour', 'helping', 'help', 'serving', 'empowering']);
const STOP = '.';
/** Further behind it the text may well speak of something else. */
const AUDIENCE_WORDS = 6;

/** Finds the terms of all industries in a text at once: its cost grows with the text alone. */
export class TermIndex {
  private readonly entries = new Map<string, Entry[]>();

  constructor(rows: readonly IndustryRow[]) {
    for (const { naics, strong, weak } of rows) {
      for (const term of strong) this.keep(term, { naics, isStrong: true });
      for (const term of weak) this.keep(term, { naics, isStrong: false });
    }
  }

  /**
   * Each term of each industry once. Within a longer one, the shorter do not count:
   * `carpet cleaning` is no `cleaning`.
   */
  termsIn(text: string): readonly FoundTerm[] {
    const { words, plurals } = wordsOf(text);
    const found = new Map<string, FoundTerm>();
    let audienceEnd = 0;
    for (let at = 0; at < words.length;) {
      const word = words[at] ?? '';
      if (word === STOP) audienceEnd = 0;
      const { term, entries, length } = this.longestAt(words, at);
      const isAside = at < audienceEnd || isOfThing(words, at + length);
      const isPlural = plurals.has(at + length - 1);
      for (const entry of entries) {
        const key = `${entry.naics} ${term}`;
        const known = found.get(key);
        found.set(key, {
          ...entry,
          term,
          isAside: isAside && (known?.isAside ?? true),
          isPlural: isPlural && (known?.isPlural ?? true),
        });
      }
      if (FOR.has(word)) audienceEnd = at + 1 + AUDIENCE_WORDS;
      at += length;
    }
    return [...found.values()];
  }

  private keep(term: string, entry: Entry): void {
    const key = wordsOf(term).words.join(' ');
    const known = this.entries.get(key);
    if (known === undefined) this.entries.set(key, [entry]);
    else known.push(entry);
  }

  private longestAt(
    words: readonly string[],
    at: number,
  ): { readonly term: string; readonly entries: readonly Entry[]; readonly length: number } {
    for (let length = MAX_TERM_WORDS; length > 0; length--) {
      const term = words.slice(at, at + length).join(' ');
      const entries = this.entries.get(term);
      if (entries !== undefined) return { term, entries, length };
    }
    return { term: '', entries: [], length: 1 };
  }
}

function isOfThing(words: readonly string[], at: number): boolean {
  if (THINGS.has(words[at] ?? '')) return true;
  const next = words.slice(at, at + TAUGHT_WORDS);
  return next.slice(0, next.indexOf(STOP) + 1 || undefined).some((word) => TAUGHT.has(word));
}

interface Words {
  /** In lower case and singular, with `.` where a part of a sentence ends. */
  readonly words: readonly string[];
  /** Places of those in the plural. */
  readonly plurals: ReadonlySet<number>;
}

function wordsOf(text: string): Words {
  const pieces =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+|[.,;:!?|–—•·]/gu) ?? [];
  const plurals = new Set<number>();
  const words = pieces.slice(0, MAX_WORDS).map((piece, at) => {
    if (!/[\p{L}\p{N}]/u.test(piece)) return STOP;
    const word = singular(piece);
    if (word !== piece) plurals.add(at);
    return word;
  });
  return { words, plurals };
}

/** Crude, but the same for the terms and the texts. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const isPlural = word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word);
  return isPlural ? word.slice(0, -1) : word;
}
