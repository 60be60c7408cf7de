import { type KeptText } from './label-sets.js';

/** How much of a text's words are in the other text. */
export interface PageScore {
  /** Of what was kept; null when nothing was kept. */
  readonly precision: number | null;
  /** Of what is labelled; null when nothing is. */
  readonly recall: number | null;
}

export interface MeanScore {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

/** Words in a row that are compared, as the public article extraction benchmark has it. */
const WORDS_IN_A_ROW = 4;

export function scorePage(label: string, kept: string): PageScore {
  const labelled = rowsOf(label);
  const found = rowsOf(kept);
  const common = commonOf(labelled, found);
  return { precision: shareOf(common, found), recall: shareOf(common, labelled) };
}

/** The means of all pages, and the F1 of the means: the score of the article benchmark. */
export function meanScore(scores: readonly PageScore[]): MeanScore {
  const precision = meanOf(scores.map((score) => score.precision));
  const recall = meanOf(scores.map((score) => score.recall));
  return { f1: harmonic(precision, recall), precision, recall };
}

export const meanOfWordRows = (texts: readonly KeptText[]): MeanScore =>
  meanScore(texts.map(({ page, text }) => scorePage(page.text, text)));

/** The means of the pages' F1, precision and recall of single words: the score of WCXB. */
export function meanOfWords(texts: readonly KeptText[]): MeanScore {
  const scores = texts.map(({ page, text }) => scoreWords(page.text, text));
  return {
    f1: meanOf(scores.map(({ f1 }) => f1)),
    precision: meanOf(scores.map(({ precision }) => precision)),
    recall: meanOf(scores.map(({ recall }) => recall)),
  };
}

export function scoreWords(label: string, kept: string): MeanScore {
  const labelled = countsOf(wordsOf(label.toLowerCase()));
  const found = countsOf(wordsOf(kept.toLowerCase()));
  const isBlank = found.size === 0;
  if (labelled.size === 0) {
    return isBlank ? { f1: 1, precision: 1, recall: 1 } : { f1: 0, precision: 0, recall: 0 };
  }
  const common = commonOf(labelled, found);
  const [precision, recall] = [shareOf(common, found) ?? 0, shareOf(common, labelled) ?? 0];
  return { f1: harmonic(precision, recall), precision, recall };
}

/** Snippets of all pages that are kept and must be, or must not: the score of trafilatura. */
export function sumOfSnippets(texts: readonly KeptText[]): MeanScore {
  let [kept, missed, leaked] = [0, 0, 0];
  for (const { page, text } of texts) {
    const spaced = oneSpaced(text);
    const found = page.kept.filter((snippet) => spaced.includes(oneSpaced(snippet))).length;
    kept += found;
    missed += page.kept.length - found;
    leaked += page.left.filter((snippet) => spaced.includes(oneSpaced(snippet))).length;
  }
  const precision = kept / Math.max(1, kept + leaked);
  const recall = kept / Math.max(1, kept + missed);
  return { f1: harmonic(precision, recall), precision, recall };
}

const PICTURE = /!\[(?:\\.|[^\]\\])*\]\((?:\\.|[^)\\])*\)/g;
const LINK = /\[((?:\\.|[^[\]\\])*)\]\((?:\\.|[^()\\])*\)/g;
/** An escaped character, an address by itself, marks inside a line, and marks of blocks. */
const MARKS = /\\([!-/:-@[-`{-~])|<(https?:[^\s<>]*)>|[*`]+|\||^[ \t]*(?:>[ \t]?)+|^#+ /gm;

/**
 * The text of Markdown as the sets' peers are measured: pictures left out, links reduced to their
 * text, escapes undone, and no marks.
 */
export function textOfMarkdown(markdown: string): string {
  const unmarked = (mark: string, escaped?: string, address?: string): string =>
    escaped ?? address ?? (/[*`]/.test(mark) ? '' : ' ');
  return markdown.replace(PICTURE, ' ').replace(LINK, '$1').replace(MARKS, unmarked);
}

const oneSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

type Counts = ReadonlyMap<string, number>;

function rowsOf(text: string): Counts {
  const words = wordsOf(text);
  // A text with fewer words is one row.
  const count = words.length === 0 ? 0 : Math.max(1, words.length - WORDS_IN_A_ROW + 1);
  return countsOf(
    Array.from({ length: count }, (_, at) => words.slice(at, at + WORDS_IN_A_ROW).join(' ')),
  );
}

function countsOf(values: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function commonOf(labelled: Counts, found: Counts): number {
  let common = 0;
  for (const [value, count] of labelled) common += Math.min(count, found.get(value) ?? 0);
  return common;
}

function shareOf(common: number, counts: Counts): number | null {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all === 0 ? null : common / all;
}

function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
}

const harmonic = (one: number, other: number): number =>
  one + other === 0 ? 0 : (2 * one * other) / (one + other);
