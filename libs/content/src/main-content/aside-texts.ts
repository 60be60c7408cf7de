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

/** Of rights and accounts: calls wherever in a text they are. */
const NOTICE_PHRASES = [
  '\\b(?:like us on|all rights reserved|copyright (?:\\(c\\)|\\d{4}))\\b|©',
  '\\b(?:follow|join) .{1,40} on (?:twitter|facebook|instagram|youtube|linkedin|telegram|whatsapp)\\b|\\bfollow @',
];

const NOTICE = new RegExp(NOTICE_PHRASES.join('|'), 'i');

const PLAIN_CALL_PHRASES = [
  '^\\W*newsletters?\\b|\\b(?:our|my|free|daily|weekly|monthly|e-?mail) newsletters?\\b',
  '\\b(?:join|follow) us\\b|\\bget our .{0,40}app\\b|\\bget .{0,60} (?:in|to) your inbox\\b',
  '\\b(?:abonnieren|abonnez|suscríbete|inscreva-se|iscriviti)',
];

const PLAIN_CALL = new RegExp(PLAIN_CALL_PHRASES.join('|'), 'i');

/** Calls of sites, but steps of a guide as well: "Click here to log in". */
const STEP_LIKE_CALL =
  /\b(?:subscribe|sign up|click(?:ing)? here|download (?:the|our)|follow (?:me|him|her|them|our)|join our|get the .{0,40}app|copyright)\b/i;

/** What sites ask readers to take, so that "sign up" is no step of a guide. */
const TAKEN =
  /\b(?:newsletters?|inbox|mailing list|(?:e-?mail|news|breaking|daily|weekly) (?:alerts?|updates?|briefing|digest|news)|our (?:free|daily|weekly|app|channel|podcast|magazine|[\w-]+ app)|(?:app store|google play|youtube))\b/i;

/**
 * What a short text does: `label` says nothing by itself, `pointer`, `call` and `shout`, a link in
 * capitals, lead away.
 */
export type AsideText = 'label' | 'pointer' | 'shout' | 'call' | 'none';

/**
 * @param linkShare share of the text's characters that are in links
 * @param ink characters of the text that are not white space
 */
export function asideTextOf(text: string, linkShare: number, ink: number): AsideText {
  if (LABEL.test(text)) return 'label';
  if (POINTER.test(text) && (linkShare > 0.4 || text.endsWith(':'))) return 'pointer';
  if (linkShare > 0.9 && isShouted(text)) return 'shout';
  return isCall(text, linkShare, ink) ? 'call' : 'none';
}

/** Without a link, a longer text may just be about newsletters. */
const MAX_CALL_INK = 100;
/** A call begins with what it calls for. */
const MAX_CALL_START = 60;
/** With more of it in links, the text is a button. */
const MIN_BUTTON_SHARE = 0.5;

/** Two sentences that both say something: guides explain their steps, buttons do not. */
const SENTENCES = /[\p{L}\p{N})][.!?;] \S.{20}/u;

function isCall(text: string, linkShare: number, ink: number): boolean {
  if (linkShare === 0 && ink >= MAX_CALL_INK) return false;
  if (NOTICE.test(text) || isNearStart(PLAIN_CALL, text)) return true;
  if (!isNearStart(STEP_LIKE_CALL, text)) return false;
  return TAKEN.test(text) || (linkShare > MIN_BUTTON_SHARE && !SENTENCES.test(text));
}

function isNearStart(phrases: RegExp, text: string): boolean {
  const at = text.search(phrases);
  return at >= 0 && at <= MAX_CALL_START;
}

/** A heading of links to other pages of a site, and what asks to be one. */
export const leadsAway = (text: string): boolean => LABEL.test(text) || AWAY.test(text);

const AWAY =
  /^\W*(?:related|recommended|similar|popular|trending|latest|recent|top|most|more|further|other|also|see also|read|you (?:may|might)|don'?t miss|in this (?:section|article|story)|on this page|what'?s|share|follow|tags?|topics?|categories|mehr|lire|lea|leia|leggi|lees|siehe|ver también)\b/i;

/** "OTHER STORY OF THIS SITE": links set between paragraphs, as news agencies do. */
const isShouted = (text: string): boolean =>
  text === text.toUpperCase() && text !== text.toLowerCase() && text.split(' ').length > 2;
