import { type Element } from 'domhandler';
import { MAX_JSON_LD_CHARS, MAX_JSON_LD_NODES } from '../limits.js';
import { scriptText } from '../dom/script-element.js';

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
  static of(jsonLd: readonly Element[]): StructuredBody | null {
    let longest = '';
    for (const script of jsonLd) {
      const text = articleBodyIn(scriptText(script));
      if (text.length > longest.length) longest = text;
    }
    const words = wordsOf(longest.replace(/<[^<>]*>/g, ' ')).slice(0, MAX_BODY_WORDS);
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

function articleBodyIn(json: string): string {
  if (json.length > MAX_JSON_LD_CHARS || !json.includes('"articleBody"')) return '';
  const waiting: unknown[] = [parseJson(json)];
  let longest = '';
  for (let looked = 0; waiting.length > 0 && looked < MAX_JSON_LD_NODES; looked++) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const body = 'articleBody' in value ? value.articleBody : undefined;
    if (typeof body === 'string' && body.length > longest.length) longest = body;
    for (const inner of Object.values(value)) {
      if (typeof inner === 'object') waiting.push(inner);
    }
  }
  return longest;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Pages are full of JSON-LD that is none; the visible text decides then.
    return null;
  }
}
