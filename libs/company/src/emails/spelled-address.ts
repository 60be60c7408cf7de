import { isSameOrganization } from '../domain.js';
import { type AddressInText, tidyHost } from './plain-address.js';

/**
 * Addresses spelled so that harvesters miss them: `jane [at] acme [dot] com`, `jane(at)acme.com`,
 * `jane at acme dot com`, `jane @ acme.com`, in the words of several languages.
 */

const AT_WORDS =
  'at|ät|aet|æt|arroba|arobase|chiocciola|klammeraffe|zavin[aá][cč]|ma[lł]pa|kukac|apenstaartje|snabel-?a|собака|@';
const DOT_WORDS = 'dot|d0t|punkt|point|punto|ponto|punt|piste|prik|kropka|te[cč]ka|pont|точка';
const OPEN = '[[({<|*]';
const CLOSE = '[\\])}>|*]';

/** Single letters mean an `@` in Scandinavia, where nothing else would fit: `info(a)acme.dk`. */
const MARKED_AT = new RegExp(
  `\\s{0,3}(?:${OPEN}\\s{0,2}(?:${AT_WORDS})\\s{0,2}${CLOSE}|(?<=\\w)\\([aäæ]\\)(?=\\w)|_at_|-at-)\\s{0,3}`,
  'giu',
);
const BARE_AT = new RegExp(`\\s{1,3}(?:${AT_WORDS})\\s{1,3}`, 'giu');
const MARKED_DOT = `\\s{0,2}${OPEN}\\s{0,2}(?:${DOT_WORDS}|\\.)\\s{0,2}${CLOSE}\\s{0,2}|_(?:dot)_|-(?:dot)-`;
const DOT = `(?:${MARKED_DOT}|\\s{1,2}(?:${DOT_WORDS})\\s{1,2}|\\.)`;
const HOST_LABEL = '[a-z\\d\\u00df-\\u024f](?:[a-z\\d\\u00df-\\u024f]|-(?!dot-)){0,62}';
const HOST = new RegExp(`${HOST_LABEL}(?:${DOT}${HOST_LABEL}){1,4}`, 'iuy');
const LOCAL = new RegExp(`[\\w%+-]{1,40}(?:${DOT}[\\w%+-]{1,40}){0,3}$`, 'iu');
const ANY_DOT = new RegExp(DOT, 'giu');
const SPELLED_DOT = new RegExp(`${MARKED_DOT}|\\s(?:${DOT_WORDS})\\s`, 'iu');

/** "stop at any point as it is": in a sentence, English joins `at` with no other word for a dot. */
const FOREIGN_DOT = /\s(?:point|punto|ponto|punt|piste|prik|kropka|te[cč]ka|pont|точка)\s/iu;

const MAX_LOCAL_CHARS = 100;

/** Words before "at" in sentences: "visit us at acme dot com" names no mailbox. */
const NO_MAILBOX = new Set(
  'us me you we them him her it site page website web online available here there look find visit live shop store more work works working based located now today directly only book order and or is are be'.split(
    ' ',
  ),
);

/** Marks that may still be examined: a page of nothing but "at" has no more to say. */
export interface MarkBudget {
  left: number;
}

/**
 * Spelled addresses of a text. What is only set apart by spaces needs a spelled dot, or a host of
 * the site itself (`domain`): "meet us at acme.com" is a sentence.
 */
export function spelledAddresses(
  text: string,
  domain: string,
  budget: MarkBudget,
): readonly AddressInText[] {
  return [...around(text, MARKED_AT, domain, budget), ...around(text, BARE_AT, domain, budget)];
}

function around(
  text: string,
  pattern: RegExp,
  domain: string,
  budget: MarkBudget,
): readonly AddressInText[] {
  const found: AddressInText[] = [];
  if (budget.left <= 0) return found;
  const isMarked = pattern === MARKED_AT;
  for (const match of text.matchAll(pattern)) {
    if (--budget.left < 0) break;
    const one = addressAround(text, match.index, match[0], isMarked, domain);
    if (one !== undefined) found.push(one);
  }
  return found;
}

function addressAround(
  text: string,
  at: number,
  mark: string,
  isMarked: boolean,
  domain: string,
): AddressInText | undefined {
  const hostText = hostFrom(text, at + mark.length);
  if (hostText === undefined) return undefined;
  const host = tidyHost(hostText.replace(ANY_DOT, '.'));
  if (host === undefined) return undefined;
  const before = text.slice(Math.max(0, at - MAX_LOCAL_CHARS), at);
  const local = LOCAL.exec(before)?.[0];
  if (local === undefined) return undefined;
  // A spelled dot in what precedes is part of the mailbox only where the mark is spelled, too.
  const mailbox = local.replace(ANY_DOT, '.');
  const isSentence = mark.trim().toLowerCase() === 'at' && FOREIGN_DOT.test(hostText);
  const isSpelled = SPELLED_DOT.test(hostText) && !isSentence;
  const isSure = isMarked || isSpelled || isSign(mark, host, domain);
  if (!isSure || (!isMarked && NO_MAILBOX.has(mailbox.toLowerCase()))) return undefined;
  return { address: `${mailbox}@${host}`, index: at - local.length };
}

/** `info @ acme.com`: a sign between spaces, and the site's own host. */
const isSign = (mark: string, host: string, domain: string): boolean =>
  mark.includes('@') && isSameOrganization(host, domain);

function hostFrom(text: string, start: number): string | undefined {
  HOST.lastIndex = start;
  return HOST.exec(text)?.[0];
}
