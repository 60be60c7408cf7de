/** Labels before a number. All patterns match a short end of text. */

const FAX_WORDS =
  'fax|telefax|téléc|telec|faks|facsimile|t[ée]l[ée]copie(?:ur)?|факс|ファックス|fax番号';
const PHONE_WORDS =
  'phones?|telephone|tel|tél|téléphone|telefoon|telefon|telefono|teléfono|telefone|tlf|tfn|puh|puhelin|call|ring|dial|text|sms|whatsapp|mobile?|mobil|mob|cell|cellulare|móvil|movil|celular|handy|gsm|fon|office|main|direct|toll[- ]free|local|hotline|after hours|emergency|reservations?|ruf|rufen sie(?: uns)? an|appelez(?:[- ]nous)?|llam[ae](?:nos)?|chiamaci|ligue|bel|ring oss|телефон|тел|電話|電話番号|代表';

const END =
  '[^\\p{L}\\d]{0,6}(?:(?:no|nr|n°|number|us|us today|now|today|at|on|line)[^\\p{L}\\d]{0,4}){0,2}$';
const START = '(?:^|[^\\p{L}])';

const FAX = new RegExp(`${START}(?:${FAX_WORDS}|f)${END}`, 'iu');
/** One number for both: `Tel/Fax`, `Phone & Fax`. */
const PHONE_AND_FAX = new RegExp(
  `(?:phone|tel\\w*|tél\\w*|t|p)\\.?\\s{0,2}(?:[/&+,|]|\\s(?:and|und|et|y|e)\\s)\\s{0,2}(?:fax|f)${END}`,
  'iu',
);
const PHONE = new RegExp(`(?:${START}(?:${PHONE_WORDS}|[ptmoc])|[☎☏✆📞📱])${END}`, 'iu');
/** Numbers of things and of registers that look like telephones. */
const THINGS =
  'orders?|invoice|receipt|quote|sku|upc|ean|gtin|isbn|issn|part|model|serial|account|acct|reference|licen[cs]e|lic|permit|registration|certificate|cert|npi|npn|ein|tin|vat|ust|gst|abn|acn|ticket|tracking|confirmation|policy|membership|claim|patent|version|id|vin|duns|cage|uei|usdot|cslb|roc|ccb|nmls|mls|bid|station|gate code|bestell|artikel|art|rechnungs?|kunden|steuer|siret|siren|rcs|iban|bic|konto|blz|hrb|cif|nif|nip|regon|krs|cnpj|p\\.?\\s?iva|partita iva|kvk|btw|cvr|orgnr';
/** Words that are a thing's only before a word for number. */
const COUNTED =
  'item|product|batch|lot|ref|tax|bar|case|docket|member|group|code|dot|mc|org|reg|room|visitor';
const COUNT = 'nummer|numbers?|num|nr|no|n°|id|code|format|#';
const THING = new RegExp(
  `${START}(?:(?:${THINGS})(?:[\\s.-]{0,2}(?:${COUNT}))?|(?:${COUNTED})[\\s.-]{0,2}(?:${COUNT}))(?:[\\s.-]{0,2}format)?[^\\p{L}\\d]{0,4}(?:(?:for example|e\\.g\\.?|such as|like|z\\.\\s?b\\.|[a-z]{1,3}-)\\s{0,2})?$|#\\s?$`,
  'iu',
);

export type PhoneLabel = 'phone' | 'fax' | 'thing' | 'none';

/** Longest label examined. */
export const MAX_PHONE_LABEL_CHARS = 48;

/** What the text right before a number calls it. */
export function phoneLabel(before: string): PhoneLabel {
  const end = before.slice(-MAX_PHONE_LABEL_CHARS);
  if (PHONE_AND_FAX.test(end)) return 'phone';
  if (FAX.test(end)) return 'fax';
  if (PHONE.test(end)) return 'phone';
  return THING.test(end) ? 'thing' : 'none';
}

/** `(312) 555-0142 (fax)`: right after a number, and before another one. */
export const isFaxAfter = (after: string): boolean =>
  /^\s{0,3}(?:[([–-]\s?)?(?:tele)?fax\b(?!\s?[:.]|\s?\(?\d)/i.test(after.slice(0, 16));

/** Before a number: who supervises the company or serves its site, and lines for emergencies. */
export const isOthersPhone = (before: string): boolean =>
  /aufsichtsbehörde|hébergeur|supervisory authority|hosting provider|schlichtungsstelle|suicide|crisis (?:line|hotline|text)|lifeline|poison control/i.test(
    before.slice(-160),
  );

/** Any word of telephones in a line: numbers of a foreign country need one near them. */
export const hasPhoneWord = (text: string): boolean =>
  new RegExp(`${START}(?:${PHONE_WORDS})(?:$|[^\\p{L}])|[☎☏✆📞📱]`, 'iu').test(text.slice(0, 200));
