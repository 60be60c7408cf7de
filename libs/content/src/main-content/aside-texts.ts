/**
 * Short texts inside articles that are not of them, by their words: labels of advertisements and
 * buttons, pointers to other articles, calls to subscribe. English first, with the most common
 * phrases of other languages; a language that is missing only costs precision.
 */

const LABEL_PHRASES = [
  'advert(?:isement|ising)?s?|ads?|sponsored(?: content)?|promoted|anzeige|werbung|publicidad|publicidade|publicité|pubblicità|iklan|reklama|реклама|広告|广告',
  'loading(?: video| player)?|share|share this(?: \\w+)?|sharing is caring|teilen|partager|compartir|compartilhar',
  'comments?|leave a (?:comment|reply)|no comments|close|menu|print|e-?mail|subscribe|sign up|follow us|full screen',
  'related(?: \\w+){0,3}|see also|read more|read next|learn more|more|next|previous|something to consider',
  "continue reading(?: below)?|story continues(?: below)?(?: advertisement)?|you (?:may|might) also like|don'?t miss|recommended(?: for you)?",
  'mehr zum thema|lesen sie auch|siehe auch|(?:à )?lire aussi|lea también|leia também|leia mais|vea también|leggi anche|lees ook|читайте также|baca juga',
];

const LABEL = new RegExp(`^\\W*(?:${LABEL_PHRASES.join('|')})\\W*$`, 'i');

const POINTER_PHRASES = [
  'also(?: read| see)?:|also read\\b|read (?:more|also|next|the full|on|our)\\b|see (?:also|more)\\b|watch\\b.{0,12}:',
  'related\\b.{0,30}:|more(?: on| from| about)?\\b.{0,40}:|more on\\b|recommended\\b|up next|further reading',
  "don'?t miss\\b|you (?:may|might|could) (?:also )?(?:like|want)|continue reading|keep reading|story continues",
  'mehr (?:zum|dazu)|lesen sie|lies auch|siehe auch|(?:à )?lire (?:aussi|également)|lea (?:también|más)|leia (?:também|mais)|ver también|te puede interesar|leggi anche|lees ook|читайте также|baca juga',
];

const POINTER = new RegExp(`^\\W*(?:${POINTER_PHRASES.join('|')})`, 'i');

const CALL_PHRASES = [
  '\\b(?:subscribe|newsletter|sign up|like us on|click(?:ing)? here|all rights reserved|copyright)\\b|©',
  '\\b(?:join|follow) (?:us|our)\\b|\\bfollow (?:me|him|her|them|@|.{1,40} on (?:twitter|facebook|instagram|youtube))',
  '\\bdownload (?:the|our)\\b|\\bget (?:the|our) .{0,40}(?:app|inbox)\\b',
  '\\b(?:abonnieren|abonnez|suscríbete|inscreva-se|iscriviti)',
];

const CALL = new RegExp(CALL_PHRASES.join('|'), 'i');

/** What a short text does: `label` says nothing by itself, `pointer` and `call` lead away. */
export type AsideText = 'label' | 'pointer' | 'call' | 'none';

/**
 * @param linkShare share of the text's characters that are in links
 * @param ink characters of the text that are not white space
 */
export function asideTextOf(text: string, linkShare: number, ink: number): AsideText {
  if (LABEL.test(text)) return 'label';
  if (POINTER.test(text) && (linkShare > 0.4 || text.endsWith(':'))) return 'pointer';
  if (linkShare > 0.9 && isShouted(text)) return 'pointer';
  return CALL.test(text) && (linkShare > 0 || ink < MAX_CALL_INK) ? 'call' : 'none';
}

/** Without a link, a longer text may just be about newsletters. */
const MAX_CALL_INK = 100;

/** "OTHER STORY OF THIS SITE": links set between paragraphs, as news agencies do. */
const isShouted = (text: string): boolean =>
  text === text.toUpperCase() && text !== text.toLowerCase() && text.split(' ').length > 2;
