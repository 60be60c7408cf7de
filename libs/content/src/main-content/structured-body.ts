/** Words of an article's text that are compared. */
const MAX_BODY_WORDS = 50_000;
/** An `articleBody` with fewer is a teaser, as some sites have it. */
const MIN_BODY_WORDS = 50;
/** As many words in a row do not meet by chance. */
const WORDS_IN_A_ROW = 3;

/** The text of the article as the page's JSON-LD gives it. */
export class StructuredBody {
  private constructor(
    private readonly rows: ReadonlySet<string>,
    readonly wordCount: number,
  ) {}

  /** Null when there is none worth reading. */
  static of(text: string): StructuredBody | null {
    const words = wordsOf(text.replace(/<[^<>]*>/g, ' ')).slice(0, MAX_BODY_WORDS);
    return words.length < MIN_BODY_WORDS
      ? null
      : new StructuredBody(new Set(rowsOf(words)), words.length);
  }

  /** How many words a text has, and what share of its rows of words is in the article. */
  compare(text: string): { readonly share: number; readonly words: number } {
    const words = wordsOf(text);
    const rows = rowsOf(words);
    const known = rows.filter((row) => this.rows.has(row)).length;
    return { share: known / Math.max(1, rows.length), words: words.length };
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function rowsOf(words: readonly string[]): string[] {
  const rows: string[] = [];
  for (let end = WORDS_IN_A_ROW; end <= words.length; end++) {
    rows.push(words.slice(end - WORDS_IN_A_ROW, end).join(' '));
  }
  return rows;
}
