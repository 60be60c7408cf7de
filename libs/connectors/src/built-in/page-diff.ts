import { createTwoFilesPatch } from 'diff';
import { LinearPattern } from '@app/patterns';
import { jsonMembers, type JsonMember } from './json-members.js';

/**
 * Edits of a diff: its time grows with their square, and that of a feed is made on the event loop. A page that differs more
 * is reported without a diff.
 */
const MAX_EDITS = 300;
const CONTEXT_LINES = 3;
const MAX_DIFF_CHARS = 20_000;

export interface DiffRules {
  /** Lines that match one of them do not count. */
  readonly ignorePatterns: readonly LinearPattern[];
  /** Whether dates, times, counters and tokens count as equal. */
  readonly ignoreNoise: boolean;
  /** Share of lines, 0 to 1, that must differ. */
  readonly threshold: number;
}

export interface PageDiff {
  /** Lines that are only in one of the texts. */
  readonly changedLines: number;
  /** Unified diff; null: the texts differ too much for one. */
  readonly diff: string | null;
}

/**
 * What differs between two texts of a page; null: nothing that counts. The order of lines does not: lists rotate. Two JSON
 * documents are compared by their values, of which each is a line. The same texts always give the same.
 */
export function pageDiff(before: string, after: string, rules: DiffRules): PageDiff | null {
  const [first, second] = [jsonMembers(before), jsonMembers(after)];
  const isJson = first !== null && second !== null;
  const old = isJson ? memberLines(first, rules) : comparedLines(before, rules);
  const young = isJson ? memberLines(second, rules) : comparedLines(after, rules);
  const changedLines = differing(old, young);
  const total = Math.max(1, old.length + young.length);
  if (changedLines / total <= rules.threshold) return null;
  return { changedLines, diff: unified(old, young) };
}

/** How many lines differ between two texts, and where. The order of lines counts, blank lines and spaces at the end of one do not. */
export function lineDiff(before: string, after: string): PageDiff {
  const [old, young] = [exactLines(before), exactLines(after)];
  return { changedLines: differing(old, young), diff: unified(old, young) };
}

function exactLines(text: string): ComparedLine[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .map((line) => ({ text: line, key: line }));
}

interface ComparedLine {
  readonly text: string;
  /** Equal in equal lines. */
  readonly key: string;
}

function comparedLines(text: string, { ignorePatterns, ignoreNoise }: DiffRules): ComparedLine[] {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '' && !ignorePatterns.some((pattern) => pattern.test(line)))
    .map((line) => ({ text: line, key: ignoreNoise ? withoutNoise(line) : line }));
}

/** Noise is in strings; numbers and names of members are data. */
function memberLines(
  members: readonly JsonMember[],
  { ignorePatterns, ignoreNoise }: DiffRules,
): ComparedLine[] {
  return members
    .map(({ path, value, key }) => ({ text: `${path}: ${value}`, path, key }))
    .filter(({ text }) => !ignorePatterns.some((pattern) => pattern.test(text)))
    .map(({ text, path, key }) => {
      const compared = ignoreNoise && key.startsWith('"') ? withoutNoise(key) : key;
      return { text, key: `${path}: ${compared}` };
    });
}

/** Lines of either text that the other lacks, in linear time. */
function differing(old: readonly ComparedLine[], young: readonly ComparedLine[]): number {
  const counts = new Map<string, number>();
  for (const { key } of old) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { key } of young) counts.set(key, (counts.get(key) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

/** Lines that count as equal are shown alike, as they were before. */
function unified(old: readonly ComparedLine[], young: readonly ComparedLine[]): string | null {
  const shown = new Map<string, string>();
  for (const { key, text } of [...old, ...young]) if (!shown.has(key)) shown.set(key, text);
  const textOf = (lines: readonly ComparedLine[]): string =>
    lines.map(({ key }) => `${shown.get(key) ?? ''}\n`).join('');
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch('before', 'after', textOf(old), textOf(young), '', '', options);
  return patch === undefined || patch.length > MAX_DIFF_CHARS ? null : patch;
}

/** Words that a number before or after them counts. */
const COUNTED =
  '(?:views?|visits?|visitors?|readers?|likes?|shares?|comments?|replies|votes?|downloads?|followers?|members?|users? online|online now|results?|reactions?)';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/**
 * Text that differs from one fetch of a page to the next although nothing changed, and what it is replaced by. All quantifiers
 * are bounded, so each pattern takes time linear in the text.
 */
const NOISE: readonly (readonly [RegExp, string])[] = [
  // 2026-11-26, with or without a time.
  [/\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]{4,15}(?:Z|[+-]\d{2}:?\d{2})?)?/g, '<date>'],
  [/\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g, '<date>'],
  [new RegExp(`\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b`, 'gi'), '<date>'],
  [new RegExp(`\\b\\d{1,2}\\.? ${MONTH}\\.?(?:,? \\d{4})?\\b`, 'gi'), '<date>'],
  [/\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b)?/gi, '<time>'],
  [
    /\b(?:\d{1,4}|an?|one|few) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) ago\b/gi,
    '<date>',
  ],
  [/\b(?:just now|yesterday|today)\b/gi, '<date>'],
  [new RegExp(`\\b\\d[\\d,.]{0,12} ?[km]?\\+? ${COUNTED}\\b`, 'gi'), '<count>'],
  [new RegExp(`\\b${COUNTED} ?[:(]? ?\\d[\\d,.]{0,12}\\)?`, 'gi'), '<count>'],
];
/** The address of a link or image: its query often is a token, a session or a time. */
const QUERY = /(\]\([^()\s?#]{1,2048})[?#][^()\s]{0,2048}/g;
const LONG_WORD = /[\w-]{20,}/g;

/** A line without what differs from one fetch to the next. */
function withoutNoise(line: string): string {
  const named = NOISE.reduce((text, [pattern, name]) => text.replace(pattern, name), line);
  return named
    .replace(QUERY, '$1')
    .replace(LONG_WORD, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '<token>' : word));
}

/** Elements that no page is about, whatever it is: advertisements, counters, consent. */
export const NOISE_SELECTORS: readonly string[] = [
  ...['ins', 'iframe', '.ad', '.ads', '.adsbygoogle', '[class*="advert"]', '[id*="advert"]'],
  ...['[class^="ad-"]', '[class*=" ad-"]', '[id^="ad-"]', '[id^="google_ads"]', '[data-ad]'],
  ...['.sponsored', '.promo', '[class*="sponsor"]', '[class*="cookie"]', '[class*="consent"]'],
  ...['[class*="counter"]', '[class*="newsletter"]'],
];
