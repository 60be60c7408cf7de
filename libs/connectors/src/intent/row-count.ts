const WORDS: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60 },
  ...{ hundred: 100, 'a hundred': 100, 'one hundred': 100, 'a dozen': 12, dozen: 12 },
};
const NUMBER = String.raw`\d{1,6}|a dozen|a hundred|one hundred|[a-z]{3,8}`;
/** `top 10`, `up to 40`, `first five`. */
const BEFORE = new RegExp(
  String.raw`\b(?:the )?(?:top|first|up to|at most|no more than|max(?:imum)?(?: of)?|only|make it|limit(?: (?:it|to))?|with|get|list|show|find|fetch|pull|give me|get me|find me|show me|export|search|a list of|need)(?: me)?(?: the)? (${NUMBER})\b(?! stars?| or (?:higher|more|better)|\.\d)`,
  'i',
);
/** `60 of them`, `20 results`. */
const AFTER = /\b(\d{1,6})\s+(?:of (?:them|these|those)|results?|rows?|entries|businesses)\b/i;
/** At the start: `100 real estate agents`. */
const FIRST = new RegExp(String.raw`^(?:the )?(${NUMBER}) (?=[a-z])`, 'i');

export interface CountedText {
  /** Without the words of the number. */
  readonly text: string;
  readonly maxRows: number | null;
}

/** Takes the number of rows out of a request; a postal code or a rating is none. */
export function takeCount(text: string): CountedText {
  for (const pattern of [AFTER, BEFORE, FIRST]) {
    const [match, word = ''] = pattern.exec(text) ?? [];
    const count = match === undefined ? null : countOf(word);
    if (match === undefined || count === null) continue;
    const rest = text.replace(match, match.replace(new RegExp(`${word}\\b`, 'i'), ''));
    const cleaned = pattern === AFTER ? text.replace(match, '') : rest;
    return { text: cleaned.replace(/\s+/g, ' ').trim(), maxRows: count };
  }
  return { text, maxRows: null };
}

function countOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word) > 0 ? Number(word) : null;
  return WORDS[word.toLowerCase()] ?? null;
}
