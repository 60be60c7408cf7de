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
export function withoutNoise(line: string): string {
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
