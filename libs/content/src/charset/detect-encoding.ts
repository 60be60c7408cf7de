import { isAscii } from 'node:buffer';
import { guessEncodings } from './encoding-detector.js';
import { encodingOfLabel } from './encoding-label.js';

/** What else is known of a text that declares no encoding. */
export interface EncodingHints {
  readonly url?: string;
  /** As the page states it: `zh-TW`. */
  readonly language?: string;
}

/** Bytes read, from the first on that is not ASCII. */
const MAX_SAMPLE_BYTES = 16_384;
/** ASCII in front of them: the detector heeds the letters beside a character. */
const CONTEXT_BYTES = 64;

/** Bytes that look like parts of words, without which there is nothing to detect. */
const MIN_WORD_BYTES = 2;

/**
 * The encoding that an undeclared text is most likely in; undefined: it is ASCII, or has too little else to say. Of a
 * long text 16 KiB are read.
 */
export function detectEncoding(
  body: Uint8Array,
  { language, url }: EncodingHints,
): string | undefined {
  const sample = sampleOf(body);
  if (sample === undefined || isNoText(sample)) return undefined;
  if (isUtf8WithFaults(sample)) return 'utf-8';
  if (wordBytes(sample) < MIN_WORD_BYTES) return undefined;
  const country = countryOf(language);
  const domains = [undefined, country ?? domainOf(url)];
  const [plain = '', hinted = plain] = guessEncodings(sample, domains);
  const isHeeded = country === undefined ? heedsSite(hinted, plain) : heedsLanguage(hinted, plain);
  return encodingOfLabel(isHeeded ? hinted : plain);
}

/** Templates have wrong languages, not letters of another script. */
const heedsLanguage = (hinted: string, plain: string): boolean =>
  scriptOf(hinted) === scriptOf(plain);

/**
 * Sites have pages in several languages. The detector would take every page of a country for one of its own, and needs to
 * be reminded only of the Latin letters that Western languages lack.
 */
const heedsSite = (hinted: string, plain: string): boolean =>
  scriptOf(plain) === LATIN && scriptOf(hinted) === LATIN && hinted !== 'windows-1252';

const ESCAPE = 0x1b;

function sampleOf(body: Uint8Array): Uint8Array | undefined {
  // The escapes of ISO-2022-JP are all that distinguishes it from ASCII.
  if (isAscii(body) && !body.includes(ESCAPE)) return undefined;
  let at = 0;
  while ((body[at] ?? 0) < 0x80 && body[at] !== ESCAPE) at++;
  const start = Math.max(0, at - CONTEXT_BYTES);
  return body.subarray(start, start + MAX_SAMPLE_BYTES);
}

/** UTF-32, say: no legacy encoding has NULs, apart from a stray one. */
const isNoText = (sample: Uint8Array): boolean =>
  sample.includes(0) && 4 * sample.filter((byte) => byte === 0).length > sample.length;

/** Characters of UTF-8 to each broken one. Text of another encoding is UTF-8 by chance in one of seven at most. */
const MIN_GOOD_TO_BAD = 8;

/** UTF-8 in which a program cut a character in two, or two texts were put together. */
function isUtf8WithFaults(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample, { stream: true });
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return good > 0 && good >= MIN_GOOD_TO_BAD * bad;
}

/** Characters past ASCII in a row, and the letters beside them. */
const RUN = /([a-z]?)([\u0080-\uffff]+)(?=([a-z]?))/gi;
/** Marks that may be inside a word. */
const MARK = /[\u00a0\u00ad\u00b7\u2013\u2014\u2018\u2019\u2022\u2026]/;
const WESTERN = new TextDecoder('windows-1252');

/**
 * Bytes that look like parts of words, at most {@link MIN_WORD_BYTES}. Lone signs, as Western texts have them (`© 2020`,
 * `£5`, `it’s`), are none: to a detector each may be a letter of some language.
 */
function wordBytes(sample: Uint8Array): number {
  if (sample.includes(ESCAPE)) return MIN_WORD_BYTES;
  let count = 0;
  for (const [, before, run = '', after] of WESTERN.decode(sample).matchAll(RUN)) {
    const isInside = before !== '' && after !== '' && !MARK.test(run);
    if (isInside || /\p{L}/u.test(run)) count += run.length;
    if (count >= MIN_WORD_BYTES) return MIN_WORD_BYTES;
  }
  return count;
}

/** Encodings by what they were made for; all others are for {@link LATIN} letters. */
const SCRIPTS = [
  /^(?:gb|big5|shift_jis|euc-|iso-2022-jp)/,
  /^(?:windows-1251|koi8-|iso-8859-5|ibm866)/,
  /^(?:windows-1253|iso-8859-7)/,
  /^(?:windows-1255|iso-8859-8)/,
  /^(?:windows-1256|iso-8859-6)/,
  /^windows-874/,
];

const LATIN = -1;
const scriptOf = (encoding: string): number => SCRIPTS.findIndex((names) => names.test(encoding));

const COUNTRY_DOMAIN = /\.([a-z]{2}|xn--[a-z\d-]{1,59})\.?$/;

const domainOf = (url: string | undefined): string | undefined =>
  COUNTRY_DOMAIN.exec(URL.parse(url ?? '')?.hostname ?? '')?.[1];

/** Where most of those who write the language live. English says nothing: templates state it for every page. */
function countryOf(language: string | undefined): string | undefined {
  if (language === undefined || /^en\b/i.test(language)) return undefined;
  try {
    const { region = '' } = new Intl.Locale(language.replaceAll('_', '-')).maximize();
    return /^[A-Z]{2}$/.test(region) ? region.toLowerCase() : undefined;
  } catch {
    // RangeError: the attribute holds no language.
    return undefined;
  }
}
