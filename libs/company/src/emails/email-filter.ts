import { isSameOrganization } from '../domain.js';

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
export function isContactAddress(address: string, domain: string): boolean {
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
export const isCredited = (before: string): boolean => CREDIT.test(before.slice(-MAX_CREDIT_CHARS));
