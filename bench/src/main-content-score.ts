/** How much of a text's words, four in a row, are in the other text. */
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
  let common = 0;
  for (const [row, count] of labelled) common += Math.min(count, found.get(row) ?? 0);
  return { precision: shareOf(common, found), recall: shareOf(common, labelled) };
}

/** The means of all pages, and the F1 of the means. */
export function meanScore(scores: readonly PageScore[]): MeanScore {
  const precision = meanOf(scores.map((score) => score.precision));
  const recall = meanOf(scores.map((score) => score.recall));
  const sum = precision + recall;
  return { f1: sum === 0 ? 0 : (2 * precision * recall) / sum, precision, recall };
}

/**
 * The text of Markdown as the benchmark's peers were measured: pictures left out, links reduced to
 * their text, marks to spaces.
 */
export function textOfMarkdown(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_`>#|]+/g, ' ');
}

function rowsOf(text: string): ReadonlyMap<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const rows = new Map<string, number>();
  // A text with fewer words is one row.
  const count = words.length === 0 ? 0 : Math.max(1, words.length - WORDS_IN_A_ROW + 1);
  for (let at = 0; at < count; at++) {
    const row = words.slice(at, at + WORDS_IN_A_ROW).join(' ');
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  return rows;
}

function shareOf(common: number, rows: ReadonlyMap<string, number>): number | null {
  let all = 0;
  for (const count of rows.values()) all += count;
  return all === 0 ? null : common / all;
}

function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
}
