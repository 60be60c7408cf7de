/** Numbers in text, as candidates: the library decides. All lengths are bounded. */

/** The specification's formats: (312) 555-0142, 312.555.0142, 1-312-555-0142, +1 312 555 0142. */
export const AMERICAN =
  /(?<![\d.,/+-])(?:\+?1[\s.-]{0,2})?(?:\([2-9]\d{2}\)|[2-9]\d{2})[\s.\u2010-\u2013-]{0,3}[2-9]\d{2}[\s.\u2010-\u2013-]{1,3}\d{4}(?![\d%]|[.,]\d|-\w)/g;
export const WITH_PREFIX = /(?<![\d\w+])(?:\+|00)[1-9]\d{0,2}[\s\d().\u2010-\u2013/-]{6,20}\d/g;
/** Toll-free numbers that spell a word: 1-800-FLOWERS. */
export const VANITY =
  /(?<![\w-])(?:1[-. ])?\(?8(?:00|33|44|55|66|77|88)\)?[-. ](?=[-\d]{0,8}[A-Z]{3})[A-Z\d-]{7,9}(?![\w-])/g;
/** Bare digits are a number only where a label says so. */
export const BARE = /(?<![\d.,/+-])(?:1?[2-9]\d{9})(?![\d%]|[.,]\d|-\w)/g;
/** National spellings of other countries. */
export const ELSEWHERE = /(?<![\d+/.,-])\(?\d[\d\s().\u2010-\u2013/-]{5,18}\d(?![\d%]|[.,]\d|-\w)/g;
/** What `ELSEWHERE` takes for a number that is none. */
export const DATE_OR_HOURS =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}\.\d{2}\s?[\u2010-\u2013-]\s?\d{1,2}\.\d{2})(?:\D|$)/;
