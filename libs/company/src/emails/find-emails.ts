import { isTag, type Element } from 'domhandler';
import { textOfValue } from '@app/content';
import { isSameOrganization } from '../domain.js';
import { MAX_PAGE_EMAILS } from '../limits.js';
import type { SurveyedPage } from '../page/page-survey.js';
import { plainAddresses, tidyHost } from './plain-address.js';
import { spelledAddresses } from './spelled-address.js';

/** Marks of spelled addresses examined on one page. */
const MAX_SPELLED_MARKS = 2_000;
const MAX_CONTEXT_CHARS = 120;

/**
 * Mail addresses by which the page says its company is reached: of links, text (spelled ones, too),
 * attributes and scripts that hide them from harvesters, and JSON-LD. In this order, distinct but
 * for case.
 */
export function findEmails(surveyed: SurveyedPage): readonly string[] {
  const { domain } = surveyed;
  const found = new EmailSet(domain);
  for (const text of surveyed.markings.reversed) readReversed(text, found);
  readLines(surveyed, found);
  readLinks(surveyed, found);
  for (const element of surveyed.markings.encoded)
    for (const address of encodedAddresses(element)) found.add(address);
  for (const text of surveyed.markings.scripted)
    for (const { address } of plainAddresses(text, 5)) found.add(address);
  for (const text of statedEmails(surveyed))
    for (const { address } of plainAddresses(text, 5)) found.add(address);
  return found.list();
}

/** What JSON-LD and meta elements say, in text. */
const statedEmails = ({ nodes, markings }: SurveyedPage): readonly string[] => [
  ...nodes.map(({ item }) => (textOfValue(item.email) ?? '').replace(/^\s*mailto:/i, '')),
  ...markings.statedEmails,
];

class EmailSet {
  private readonly known = new Map<string, string>();
  private readonly refused = new Set<string>();

  constructor(private readonly domain: string) {}

  /** `before`: the text in front of the address, which may name another owner. */
  add(address: string, before = ''): void {
    const key = address.toLowerCase();
    if (this.known.size >= MAX_PAGE_EMAILS || this.known.has(key) || this.refused.has(key)) return;
    if (!isContactAddress(key, this.domain)) return;
    const host = key.slice(key.lastIndexOf('@') + 1);
    if (before !== '' && !isSameOrganization(host, this.domain) && isCredited(before))
      this.refuse(address);
    else this.known.set(key, address);
  }

  /** The address is none of the company, anywhere on the page. */
  refuse(address: string): void {
    if (this.refused.size < MAX_PAGE_EMAILS) this.refused.add(address.toLowerCase());
  }

  list(): readonly string[] {
    return [...this.known.values()];
  }
}

/** The text has it backwards; what it seems to say there is no address. */
function readReversed(text: string, found: EmailSet): void {
  for (const { address } of plainAddresses(text, 5)) found.refuse(address);
  for (const { address } of plainAddresses(reversed(text), 5)) found.add(address);
}

function readLines({ survey, domain, voice }: SurveyedPage, found: EmailSet): void {
  const budget = { left: MAX_SPELLED_MARKS };
  for (const line of survey.lines) {
    const { text } = line;
    const plain = text.includes('@') ? plainAddresses(text, MAX_PAGE_EMAILS) : [];
    const addresses = [...plain, ...spelledAddresses(text, domain, budget)];
    if (addresses.length === 0 || voice.isOthers(line)) continue;
    for (const { address, index } of addresses)
      found.add(address, text.slice(Math.max(0, index - MAX_CONTEXT_CHARS), index));
  }
}

function readLinks({ page, survey, voice }: SurveyedPage, found: EmailSet): void {
  const regions = new Map(survey.links.map((link) => [link.element, link]));
  for (const element of page.parsed.anchors) {
    const { href = '' } = element.attribs;
    if (!/^\s*mailto:|UnCryptMailto/i.test(href)) continue;
    const link = regions.get(element);
    if (link !== undefined && voice.isOthers(link)) continue;
    const before = textBefore(element);
    for (const address of linkedAddresses(href)) found.add(address, before);
  }
}

/** The text in front of a link in the same block. */
function textBefore(element: Element): string {
  const { prev, parent } = element;
  if (prev !== null && 'data' in prev && prev.data.trim() !== '')
    return `${prev.data.slice(-MAX_CONTEXT_CHARS)} `;
  const before = parent !== null && isTag(parent) ? parent.prev : null;
  return before !== null && 'data' in before ? before.data.slice(-MAX_CONTEXT_CHARS) : '';
}

const MAX_LINK_CHARS = 2_000;
const MAX_ADDRESSES = 20;

/**
 * Addresses that a link leads to: `mailto:` with several and with what is percent-encoded, its `to`
 * field (RFC 6068), TYPO3's protected form. What a subject or text names is none.
 */
function linkedAddresses(href: string): readonly string[] {
  const link = href.trim().slice(0, MAX_LINK_CHARS);
  const hidden = typo3Address(
    /linkTo_UnCryptMailto\(\s*['"]([^'"]{1,500})['"]/.exec(decoded(link))?.[1],
  );
  if (hidden !== undefined) return addressesOf(hidden);
  const target = /^mailto:(?:\/\/)?([^?]*)(?:\?(.*))?$/is.exec(link);
  if (target === null) return [];
  const [, path = '', fields = ''] = target;
  const to = /(?:^|&(?:amp;)?)to=([^&]*)/i.exec(fields)?.[1] ?? '';
  return [...addressesOf(decoded(path)), ...addressesOf(decoded(to))];
}

function addressesOf(text: string): readonly string[] {
  const plain = plainAddresses(text, MAX_ADDRESSES);
  const found = plain.length > 0 ? plain : spelledAddresses(text, '', { left: MAX_ADDRESSES });
  return found.map(({ address }) => address);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text before and after it is readable as it is.
    return text;
  }
}

/** Specification: addresses that start noreply@ or no-reply@; their other spellings alike. */
const NO_REPLY = /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer-daemon)(?:[-_.+][^@]*)?@/i;

/**
 * Specification: "generic shared-platform domains". These are hosts with addresses in pages because
 * of the tool that made or serves the page: site builders, shops, hosters, error trackers,
 * content networks, code hosts, vocabularies. Mailbox providers (gmail.com, gmx.de, yahoo.com …)
 * are not among them: their addresses belong to one customer each and are how many small companies
 * are reached. On a platform's own site its addresses count.
 */
const PLATFORMS = new Set(
  `sentry.io sentry-next.wixpress.com wixpress.com wix.com wixsite.com editorx.com squarespace.com
  squarespace-mail.com wordpress.com wordpress.org wpengine.com wpcomstaging.com automattic.com
  shopify.com myshopify.com bigcommerce.com mybigcommerce.com weebly.com weeblysite.com webflow.com
  webflow.io godaddy.com godaddysites.com secureserver.net jimdo.com jimdosite.com duda.co
  dudaone.com multiscreensite.com strikingly.com site123.com ionos.com ionos.de 1and1.com
  bluehost.com hostgator.com siteground.com namecheap.com hostinger.com ovh.net ovh.com
  amazonaws.com cloudfront.net cloudflare.com herokuapp.com vercel.app netlify.app netlify.com
  github.com github.io gitlab.com bitbucket.org google.com googlegroups.com googleusercontent.com
  facebook.com facebookmail.com instagram.com twitter.com linkedin.com youtube.com tiktok.com
  mailchimp.com list-manage.com hubspot.com hubspotemail.net constantcontact.com sendgrid.net
  mailgun.org typeform.com jotform.com calendly.com zendesk.com intercom.io intercom-mail.com
  freshdesk.com tawk.to schema.org w3.org jquery.com fontawesome.com npmjs.com adobe.com
  typekit.com themeforest.net envato.com elementor.com yoast.com drupal.org joomla.org`.split(
    /\s+/,
  ),
);

/** Placeholder hosts ("put yours here"), and those that no mail reaches (RFC 2606, 6761, 6762). */
const PLACEHOLDER_HOST =
  /(?:^|\.)(?:(?:example|exemple|ejemplo|esempio|exemplo|beispiel|voorbeeld)\.[a-z]{2,4}|(?:your|my)-?(?:domain|site|company|website|business|email|name)\.[a-z.]{2,6}|(?:domain|dominio|domaine|domein|company|firma|musterfirma|muster|mustermann|website|site|sample|email|e-mail|address|correo|test|xyz|abc)\.(?:com|org|net|de|fr|es|it|tld|ext)|[a-z\d-]+\.(?:test|invalid|local|localhost|localdomain|internal|lan|example|tld))$/;
/** Mailboxes of input hints. On the site's own host only what cannot be a person or a desk. */
const HINT_MAILBOX =
  /^(?:your?|your?[-_.]?(?:name|e?-?mail|address)|(?:first|last|full)?[-_.]?name|first[-_.]?(?:name)?[-_.]last(?:name)?|user(?:name)?|someone|somebody|someone?else|john[-_.]?(?:doe|smith)|jane[-_.]?doe|max[-_.]?mustermann|e?-?mail|example|sample|test|xxx+|abc|nombre|correo|vorname[-_.]nachname|prenom[-_.]nom|nome|ihre?[-_.]?(?:name|e?-?mail)|votre[-_.]?(?:nom|e?-?mail)|friend|recipient)$/i;
const OWN_HINT_MAILBOX =
  /^(?:your?|your?[-_.]?(?:name|e?-?mail)|first[-_.]?(?:name)?[-_.]last(?:name)?|(?:first|last)name|user(?:name)?|vorname[-_.]nachname|prenom[-_.]nom)$/i;

/** Names of files that look like addresses: `logo@2x.png`, `jquery@3.min.js`. */
const FILE_END =
  /\.(?:png|jpe?g|gif|webp|svg|avif|ico|bmp|tiff?|css|s[ac]ss|less|m?jsx?|tsx?|json|map|html?|php|woff2?|ttf|eot|mp[34]|webm|pdf|zip|md)$/;
const PIXEL_DENSITY = /^\d(?:\.\d)?x\./;
/** Keys of error trackers and message ids: no mailbox is 24 hexadecimal digits. */
const MACHINE_MAILBOX = /^[\da-f]{20,}$/i;

/** Whether an address may be one that reaches the company whose site is at `domain`. */
function isContactAddress(address: string, domain: string): boolean {
  const at = address.lastIndexOf('@');
  const mailbox = address.slice(0, at);
  const host = address.slice(at + 1);
  if (NO_REPLY.test(address) || MACHINE_MAILBOX.test(mailbox)) return false;
  if (FILE_END.test(host) || PIXEL_DENSITY.test(host)) return false;
  if (isSameOrganization(host, domain)) return !OWN_HINT_MAILBOX.test(mailbox);
  return !HINT_MAILBOX.test(mailbox) && !PLACEHOLDER_HOST.test(host) && !isPlatform(host);
}

function isPlatform(host: string): boolean {
  const labels = host.split('.');
  return labels.some((_, index) => PLATFORMS.has(labels.slice(index).join('.')));
}

/** Before an address: who made the site, serves it or supervises its owner. */
const CREDIT =
  /(?:web-?\s?(?:site|design|development|entwicklung|seite)\s+(?:by|von|par|por|di|door)|(?:designed?|built|made|created|developed|powered|hosted|crafted|maintained)(?:\s+(?:and|&)\s+\w{1,20})?\s+by|umsetzung|réalisation|réalisé\s+par|conception|hébergeur|hébergement|hosting\s*:|diseño\s+web|realizzazione|realizzato\s+da|aufsichtsbehörde|datenschutz\s+und\s+(?:die\s+)?informationsfreiheit|supervisory\s+authority|mitglied\s+der|wirtschaftskammer|schlichtungsstelle)[^@]{0,80}$/iu;
const MAX_CREDIT_CHARS = 120;

/** Whether the text before an address of a foreign host says that it belongs to another company. */
const isCredited = (before: string): boolean => CREDIT.test(before.slice(-MAX_CREDIT_CHARS));

/** Addresses that attributes hold in a form for scripts, in document order of the attributes. */
function encodedAddresses({ attribs }: Element): readonly string[] {
  const texts = [
    typo3Address(attribs['data-mailto-token']),
    inParts(attribs),
    ...WHOLE.map((name) => wholeAddress(attribs[name])),
  ];
  return texts.flatMap((text) =>
    text === undefined ? [] : plainAddresses(text, 5).map(({ address }) => address),
  );
}

const WHOLE = [
  'data-email',
  'data-e-mail',
  'data-mail',
  'data-mailto',
  'data-enc-email',
  'data-contact',
];
const MAX_CHARS = 500;

/** Ranges that TYPO3 turns letters in, each in itself. */
const TURNED = [
  [0x2b, 0x3a],
  [0x40, 0x5a],
  [0x61, 0x7a],
] as const;
const MAX_TURN = 26;

/** `linkTo_UnCryptMailto` of TYPO3: letters rotated by a number that is not in the link. */
function typo3Address(token: string | undefined): string | undefined {
  if (token === undefined || token.length > MAX_CHARS) return undefined;
  for (let turn = -MAX_TURN; turn <= MAX_TURN; turn++) {
    const text = turnedBy(token, turn);
    if (text.startsWith('mailto:')) return text.slice('mailto:'.length);
  }
  return undefined;
}

const turnedBy = (text: string, turn: number): string =>
  text.replace(/[\x21-\x7e]/g, (letter) => {
    const code = letter.charCodeAt(0);
    const range = TURNED.find(([low, high]) => code >= low && code <= high);
    if (range === undefined) return letter;
    const [low, high] = range;
    const size = high - low + 1;
    return String.fromCharCode(low + ((((code - low + turn) % size) + size) % size));
  });

/** User and host in attributes of their own, put together by a script. */
function inParts(attribs: Readonly<Record<string, string>>): string | undefined {
  const of = (names: readonly string[]): string =>
    names.map((name) => attribs[`data-${name}`]?.trim()).find((value) => value) ?? '';
  const user = of(['user', 'username', 'local', 'mailbox', 'name', 'u', 'part1']);
  const host = of(['domain', 'host', 'website', 'd', 'part2']);
  const top = of(['tld', 'part3']).replace(/^\./, '');
  if (user === '' || host === '' || !/^[\w.+-]{1,64}$/.test(user)) return undefined;
  const whole = tidyHost(top === '' ? host : `${host}.${top}`);
  return whole === undefined ? undefined : `${user}@${whole}`;
}

/** An address in one attribute: plain, backwards or in base64. */
function wholeAddress(value: string | undefined): string | undefined {
  if (value === undefined || value.length > MAX_CHARS) return undefined;
  const text = value.trim();
  if (text.includes('@')) return isBackwards(text) ? reversed(text) : text;
  if (!/^[A-Za-z\d+/]{8,}={0,2}$/.test(text)) return undefined;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x20-\x7e]+$/.test(plain) && plain.includes('@') ? plain : undefined;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** Whether a text only makes an address when it is read from its end: `moc.emca@ofni`. */
const isBackwards = (text: string): boolean => /^(?:moc|gro|ten|ed|ku|rf|ue|oi)\./i.test(text);
