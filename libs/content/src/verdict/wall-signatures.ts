import { type PageEvidence, hasMark } from './evidence.js';
import { isWallStatus, type Signature } from './signature.js';

/**
 * Instructions of walls of any make to a visitor. Articles explain it; walls say it in their few
 * words.
 */
const WALL_WORDS: readonly RegExp[] = [
  /\b(?:verif(?:y|ying)|confirm|prove|check(?:ing)?|mak(?:e|ing) sure|ensure) (?:that )?you(?:'re| are|r)? ?(?:a |not (?:a )?|aren't a )?(?:human|robot|bot|real person|person)\b/i,
  /\b(?:verify|confirm) (?:that )?(?:you are|you're) (?:a |not a )?(?:human|robot|bot)\b/i,
  /\bchecking (?:if the site connection is secure|your browser)\b/i,
  /\b(?:complete|solve|pass|fill (?:in|out)) (?:the|this|a) (?:following )?(?:security check|captcha|challenge|puzzle|verification)\b/i,
  /\b(?:unusual|suspicious|automated) (?:traffic|activity|requests?|queries|behaviou?r)\b/i,
  /\bpress (?:&|and) hold\b/i,
  /\bslide (?:right )?to (?:verify|complete|secure)\b/i,
  /\bi(?:'m| am) not a robot\b/i,
  /\bhuman verification\b/i,
  /вы не робот|подтвердите,? что (?:вы|запросы)/i,
  /请完成(?:安全|人机)?验证|安全验证|人机验证/,
  /bestätigen sie,? dass sie (?:ein mensch|kein roboter)/i,
  /vérifi(?:er|ez|ons) que vous (?:êtes (?:un )?humain|n'êtes pas un robot)/i,
  /(?:verifi(?:que|car)|confirm[ae]|demuestr[ae]|comprueb[ae]) que (?:no )?(?:eres|es|es usted) (?:un )?(?:humano|robot|ser humano)/i,
];

/** Fields of a form for people; walls require nothing but the proof. */
const FORM_LABELS =
  /\b(?:password|user ?name|your (?:name|message|e-?mail)|(?:first|last|full) name|subject|phone|message|sign (?:in|up)|log ?in|register|subscribe|newsletter|send|passwort|mot de passe|contraseña|nachricht|feedback|comment|contact|welcome|account)\b/i;

/** Most visible characters of a page that is only a captcha with its explanation. */
const MAX_CAPTCHA_CHARS = 800;

const saysWall = ({ words }: PageEvidence): boolean =>
  WALL_WORDS.some((pattern) => pattern.test(words));

function isCaptchaPage(page: PageEvidence): boolean {
  return (
    page.facts.visibleChars <= MAX_CAPTCHA_CHARS &&
    saysWall(page) &&
    (isWallStatus(page) || !FORM_LABELS.test(page.words))
  );
}

/**
 * Where nothing is but the widget. Login pages label their fields inside them, so few words say
 * little.
 */
function isBareWidget(page: PageEvidence): boolean {
  const { visibleChars, images } = page.facts;
  if (isWallStatus(page)) return visibleChars < 40;
  return visibleChars < 15 && images === 0 && !FORM_LABELS.test(page.words);
}

function widgetWall(signal: string, hasWidget: (page: PageEvidence) => boolean): Signature {
  return {
    signal,
    where: 'small',
    test: (page) => hasWidget(page) && (isCaptchaPage(page) || isBareWidget(page)),
  };
}

/** A captcha's element on the page: its script alone is on many a page that has none to show. */
export const WALL_SIGNATURES: readonly Signature[] = [
  widgetWall(
    'recaptcha_wall',
    (page) =>
      hasMark(page, '.g-recaptcha', '#g-recaptcha', '#recaptcha') ||
      page.facts.frameSrcs.some((src) => /\/recaptcha\/(?:api2|enterprise)\/anchor/.test(src)),
  ),
  widgetWall(
    'hcaptcha_wall',
    (page) =>
      hasMark(page, '.h-captcha', '#hcaptcha', '#h-captcha') ||
      page.facts.frameSrcs.some((src) => /\bhcaptcha\.com\//.test(src)),
  ),
  widgetWall(
    'turnstile_wall',
    (page) =>
      hasMark(page, '.cf-turnstile', '#cf-turnstile', '#turnstile', '#turnstile-container') ||
      page.facts.frameSrcs.some((src) => /challenges\.cloudflare\.com\//.test(src)),
  ),
  {
    signal: 'generic_captcha_text',
    where: 'small',
    test: (page) =>
      isCaptchaPage(page) &&
      (isWallStatus(page) ||
        /captcha|challenge|bot-?(?:check|detect)|human-?(?:check|verif)/i.test(
          [...page.marks].join(' ') + page.scriptSrcs + page.facts.formActions.join(' '),
        )),
  },
  {
    // Said by the status alone: 999 means nothing else.
    signal: 'denied_999',
    where: 'small',
    test: ({ statusCode }) => statusCode === 999,
  },
];
