import { findNumbers, PageText, wordsOf } from '@app/content';
import type { CitableSource } from '../search-task.js';
import { stemOf, type Figure, type SentenceFacts } from './sentence-facts.js';

/** Part of a sentence's words that the best passage may lack: none of three, one of four. */
const MAX_MISSING = 0.3;
/** Words of a passage, beside three times those of the sentence. */
const PASSAGE_WORDS = 30;

/** A sentence, row or heading of a source. */
interface Statement {
  readonly text: string;
  readonly numbers: ReadonlySet<number>;
  readonly stems: ReadonlySet<string>;
}

/** A shorter statement, such as a cell, is about what the one before it names. */
const MIN_STATEMENT_STEMS = 4;

/** A source, indexed for the question whether it supports a sentence. */
export class SourceText {
  private readonly page: PageText;
  private readonly stems: readonly string[];
  private readonly known: ReadonlySet<string>;
  private readonly statements: readonly Statement[];

  constructor({ title, text: body, url }: CitableSource) {
    const whole = `${title}\n\n${body}`;
    this.page = new PageText(whole, url);
    this.stems = wordsOf(whole).map(stemOf);
    this.known = new Set(this.stems);
    this.statements = whole.split(/\n+|(?<=[.!?])\s/).map((text) => ({
      text,
      numbers: new Set(findNumbers(text).flatMap(({ values }) => values)),
      stems: new Set(wordsOf(text).map(stemOf)),
    }));
  }

  /** Whether it has every figure, day and name of the sentence, and most of its words in one passage. */
  supports(facts: SentenceFacts): boolean {
    return (
      facts.figures.every((figure) => this.hasFigure(figure)) &&
      facts.days.every((day) => this.hasDay(day)) &&
      facts.names.every((words) => this.hasName(words)) &&
      this.leastMissing(facts) <= Math.floor(MAX_MISSING * facts.stems.length)
    );
  }

  /** Within a statement about the same: a number alone may count anything. */
  private hasFigure({ values, beside, unit }: Figure): boolean {
    return this.statements.some((statement, at) => {
      const { numbers, stems } = statement;
      if (!values.some((one) => numbers.has(one))) return false;
      if (unit !== null && !hasUnit(statement, unit)) return false;
      const before = this.statements[at - 1]?.stems;
      const isShort = stems.size < MIN_STATEMENT_STEMS;
      const isAbout = (stem: string): boolean =>
        stems.has(stem) || (isShort && before?.has(stem) === true);
      return beside.length === 0 || beside.some(isAbout);
    });
  }

  private hasDay({ year, month, day }: SentenceFacts['days'][number]): boolean {
    if (year !== null) return this.page.findDay({ year, month, day }) !== null;
    return this.page.findNumber(day) !== null;
  }

  /** As it is written, or each of its words in another form. */
  private hasName(words: readonly string[]): boolean {
    return (
      this.page.findPhrase(words) !== null || words.every((one) => this.known.has(stemOf(one)))
    );
  }

  /** Words of the sentence that the best passage lacks. Linear in the source. */
  private leastMissing({ stems }: SentenceFacts): number {
    const wanted = new Set(stems);
    const length = PASSAGE_WORDS + 3 * stems.length;
    const inPassage = new Map<string, number>();
    let best = 0;
    for (let at = 0; at < this.stems.length; at++) {
      const entering = this.stems[at] ?? '';
      if (wanted.has(entering)) inPassage.set(entering, (inPassage.get(entering) ?? 0) + 1);
      const leaving = this.stems[at - length];
      if (leaving !== undefined && wanted.has(leaving)) {
        const left = (inPassage.get(leaving) ?? 0) - 1;
        if (left > 0) inPassage.set(leaving, left);
        else inPassage.delete(leaving);
      }
      best = Math.max(best, inPassage.size);
    }
    return wanted.size - best;
  }
}

/** Words for currencies that sources write as a sign. */
const SIGNS: Readonly<Record<string, string>> = {
  dollar: '$',
  dollars: '$',
  usd: '$',
  euro: '€',
  euros: '€',
  eur: '€',
  pound: '£',
  pounds: '£',
  gbp: '£',
  percent: '%',
};

function hasUnit({ text, stems }: Statement, unit: string): boolean {
  const sign = SIGNS[unit];
  return stems.has(stemOf(unit)) || (sign !== undefined && text.includes(sign));
}
