import { PART_LIMITS, type MarkdownParts, type WantedParts } from '@app/contracts';
import { cutMarkdown } from '../chunks/cut-markdown.js';
import { blockBorders } from '../chunks/piece-splitter.js';
import { markdownBlocks, type MarkdownBlock } from '../chunks/markdown-blocks.js';
import { lineText } from '../full-text/full-text.js';
import { SearchWords } from './search-words.js';

/** Looked through, from the beginning: a second of work. */
const MAX_SOURCE_CHARS = 2_000_000;
/** Different words of a query that count. */
const MAX_TERMS = 32;
/** A passage takes in what follows in its section until it has so many characters … */
const LEAST_CHARS = 300;
/** … and is cut above so many. */
const MOST_CHARS = 1_500;

/** BM25 (Robertson and Zaragoza 2009, 3.2), titles as a field of their own (3.6). */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;
const TITLE_WEIGHT = 0.5;

type Passage = NonNullable<MarkdownParts['passages']>[number];
type PassageQuery = NonNullable<WantedParts['passages']>;

interface Page {
  readonly markdown: string;
  readonly url: string;
  /** Language tag that it declares. */
  readonly language?: string | undefined;
}

/** The parts of a page that a caller wants. */
export function markdownParts(page: Page, { passages, maxTokens }: WantedParts): MarkdownParts {
  const cut = maxTokens === undefined ? null : cutMarkdown(page.markdown, maxTokens);
  return {
    ...(passages ? { passages: findPassages(page, passages) } : {}),
    ...cut,
  };
}

/** The passages that have the words of the query, best first. Linear time. */
export function findPassages(
  { markdown, url, language }: Page,
  { query, max }: PassageQuery,
): Passage[] {
  const words = new SearchWords(language);
  const terms = [...new Set(words.of(query.slice(0, PART_LIMITS.passages.queryChars)))].slice(
    0,
    MAX_TERMS,
  );
  if (terms.length === 0) return [];
  const places = placesOf(markdown.slice(0, MAX_SOURCE_CHARS));
  const count = counter(markdown, terms, words);
  const counts = places.map(count);
  const ranked = rank(counts, terms.length)
    .map((score, at) => ({ score, place: places[at] as Place }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place.start - b.place.start)
    .slice(0, max);
  return ranked.map(({ score, place }) => {
    const text = markdown.slice(place.start, place.end).trimEnd();
    return {
      ...{ text, headings: place.headings, start: place.start, end: place.start + text.length },
      ...{ score: Math.round(score * 1_000) / 1_000, url: `${url}${textDirective(url, text)}` },
    };
  });
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
  /** Without titles. */
  readonly textChars: number;
}

/** A title goes with what follows it. */
function placesOf(source: string): Place[] {
  const places: Place[] = [];
  for (const { kind, start, end, headings } of partsOf(source)) {
    const isTitle = kind === 'heading';
    const textChars = isTitle ? 0 : end - start;
    const open = places.at(-1);
    if (open === undefined || isFull(open, { end, isTitle })) {
      places.push({ start, end, headings, textChars });
      continue;
    }
    const isNamed = open.textChars > 0;
    places[places.length - 1] = {
      start: open.start,
      end,
      headings: isNamed ? open.headings : headings,
      textChars: open.textChars + textChars,
    };
  }
  return places;
}

/** Titles alone go on to what they name. */
function isFull(
  { start, textChars }: Place,
  next: { readonly end: number; readonly isTitle: boolean },
): boolean {
  const most = textChars === 0 ? 2 * MOST_CHARS : MOST_CHARS;
  return next.end - start > most || textChars >= (next.isTitle ? 1 : LEAST_CHARS);
}

/** The blocks, a long one cut between its sentences, lines or rows; a line that has none of them, anywhere. */
function* partsOf(source: string): Generator<MarkdownBlock> {
  for (const block of markdownBlocks(source)) {
    let { start } = block;
    let last = start;
    for (const border of block.end - start > MOST_CHARS ? blockBorders(source, block) : []) {
      if (border - start > MOST_CHARS && last > start) {
        yield { ...block, start, end: last };
        start = last;
      }
      while (border - start > MOST_CHARS) {
        const end = wholeEnd(source, start + MOST_CHARS);
        yield { ...block, start, end };
        start = end;
      }
      last = border;
    }
    if (block.end > start) yield { ...block, start };
  }
}

/** Not inside of a surrogate pair. */
function wholeEnd(source: string, end: number): number {
  return (source.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

interface Counted {
  /** How often the passage has each word of the query; a word of its titles counts in part. */
  readonly hits: Float64Array;
  readonly words: number;
}

/** Counts the words of the query in places. Titles are shared by many places, and read once. */
function counter(
  source: string,
  terms: readonly string[],
  words: SearchWords,
): (place: Place) => Counted {
  const numbers = new Map(terms.map((term, at) => [term, at]));
  const titles = new Map<string, readonly number[]>();
  const hitsOfTitle = (title: string): readonly number[] => {
    const known = titles.get(title);
    if (known) return known;
    const hits = [...words.of(title)].map((word) => numbers.get(word));
    const found = hits.filter((at) => at !== undefined);
    titles.set(title, found);
    return found;
  };
  return ({ start, end, headings }) => {
    const hits = new Float64Array(terms.length);
    const add = (at: number, weight: number): void => void (hits[at] = (hits[at] ?? 0) + weight);
    let total = 0;
    for (const line of source.slice(start, end).split('\n'))
      for (const word of words.of(lineText(line))) {
        total++;
        const at = numbers.get(word);
        if (at !== undefined) add(at, 1);
      }
    for (const title of headings) for (const at of hitsOfTitle(title)) add(at, TITLE_WEIGHT);
    return { hits, words: total };
  };
}

function rank(counted: readonly Counted[], terms: number): number[] {
  const mean = counted.reduce((sum, { words }) => sum + words, 0) / Math.max(1, counted.length);
  const rarity = Array.from({ length: terms }, (_, at) => {
    const having = counted.filter(({ hits }) => (hits[at] ?? 0) > 0).length;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  });
  return counted.map(({ hits, words }) => {
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * words) / Math.max(1, mean);
    return rarity.reduce((sum, weight, at) => {
      const hit = hits[at] ?? 0;
      return sum + (weight * hit * (SATURATION + 1)) / (hit + SATURATION * length);
    }, 0);
  });
}

const WORDS_OF_END = 5;

/** `#:~:text=first words,last words` of a passage; empty if it has no words. */
function textDirective(url: string, markdown: string): string {
  const lines = markdown
    .split('\n')
    .map((line) =>
      lineText(line.replace(/^[\s>]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?/, '')).trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const [first, last] = [lines[0], lines.at(-1)].map((line) => line?.split(/\s+/) ?? []);
  if (!first || !last || first.length === 0) return '';
  const isShort = lines.length === 1 && first.length <= 2 * WORDS_OF_END;
  const ends = isShort ? [first] : [first.slice(0, WORDS_OF_END), last.slice(-WORDS_OF_END)];
  const text = ends.map((words) => encoded(words.join(' '))).join(',');
  return `${url.includes('#') ? '' : '#'}:~:text=${text}`;
}

const MAX_END_CHARS = 80;

/** `-` and `,` have a meaning of their own there. */
function encoded(words: string): string {
  const short = words.slice(0, MAX_END_CHARS).toWellFormed();
  return encodeURIComponent(short).replaceAll('-', '%2D');
}
