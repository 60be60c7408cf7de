import type { CitableSource } from '../search-task.js';
import { SentenceFacts } from './sentence-facts.js';
import { SourceText } from './source-text.js';

/** A model's answer after the check of its citations. */
export interface CitationCheck {
  /** Null: nothing is left. */
  readonly answer: string | null;
  readonly kept: number;
  readonly dropped: number;
}

const MAX_ANSWER_CHARS = 6_000;
const MAX_SENTENCES = 12;
const CITATION = /\[([\d\s,;]{1,60})\]/g;
/** Citations that a segmenter took for the start of the next sentence. */
const LEADING_CITATIONS = /^(?:\s{0,4}\[[\d\s,;]{1,60}\][.!?]?)+/;

/**
 * Keeps of an answer the sentences that rest on what they cite. A sentence is kept with those of its citations whose source
 * exists and supports it; without one it is dropped. A source supports a sentence when it has all its figures, days and
 * names, and one passage of it has most of its words. The answer as a whole must be about the question.
 */
export function citedAnswer(
  text: string,
  question: string,
  sources: readonly CitableSource[],
): CitationCheck {
  const texts = new Map(sources.map((source) => [source.position, new SourceText(source)]));
  const sentences = sentencesIn(text.slice(0, MAX_ANSWER_CHARS));
  const kept = sentences
    .slice(0, MAX_SENTENCES)
    .map((sentence) => supported(sentence, texts))
    .filter((one): one is string => one !== null);
  const isOnTopic = kept.some((sentence) => sharesWord(sentence, question));
  const isKept = kept.length > 0 && isOnTopic;
  return {
    answer: isKept ? kept.join(' ') : null,
    kept: isKept ? kept.length : 0,
    dropped: sentences.length - (isKept ? kept.length : 0),
  };
}

/** The sentence with the citations that support it; null: none does. */
function supported(sentence: string, texts: ReadonlyMap<number, SourceText>): string | null {
  const facts = new SentenceFacts(sentence.replace(CITATION, ' '));
  // Nothing to check, or an address, which readers find in the results.
  if (facts.words.length === 0 || facts.hasAddress) return null;
  const numbers = [...new Set(citedIn(sentence))].sort((one, other) => one - other);
  const good = numbers.filter((number) => texts.get(number)?.supports(facts) ?? false);
  if (good.length === 0) return null;
  const end = /[.!?…。！？]$/.exec(facts.text)?.[0] ?? '';
  const body = facts.text.slice(0, facts.text.length - end.length).trim();
  return `${body} ${good.map((number) => `[${number}]`).join('')}${end || '.'}`;
}

function citedIn(sentence: string): readonly number[] {
  return [...sentence.matchAll(CITATION)].flatMap(([, list = '']) =>
    (list.match(/\d{1,3}/g) ?? []).map(Number),
  );
}

function sharesWord(sentence: string, question: string): boolean {
  const asked = new Set(new SentenceFacts(question).stems);
  return asked.size === 0 || new SentenceFacts(sentence).stems.some((stem) => asked.has(stem));
}

/** Sentences on one line each, every one with the citations behind its full stop. */
function sentencesIn(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const sentences: string[] = [];
  for (const line of text.split('\n')) {
    for (const { segment } of segmenter.segment(line)) addSegment(sentences, segment);
  }
  return sentences;
}

function addSegment(sentences: string[], segment: string): void {
  const leading = LEADING_CITATIONS.exec(segment)?.[0] ?? '';
  const last = sentences.length - 1;
  if (leading !== '' && last >= 0) sentences[last] += leading;
  const rest = (last >= 0 ? segment.slice(leading.length) : segment)
    .replace(/^[\s>*#•-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (/\p{L}/u.test(rest)) sentences.push(rest);
}
