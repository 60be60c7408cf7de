import { getDomain } from 'tldts';

const MAX_HOST_CHARS = 253;
const MAX_ADDRESS_CHARS = 300;

/**
 * Hosts whose addresses are those of profiles, listings and link pages: that two businesses have one there says nothing.
 * Hosts that give each customer a name of its own (`acme.github.io`) are in the Public Suffix List and need no row.
 */
const SHARED_HOSTS: ReadonlySet<string> = new Set(
  `facebook.com fb.com instagram.com twitter.com x.com linkedin.com youtube.com youtu.be tiktok.com pinterest.com
  vk.com threads.net snapchat.com whatsapp.com wa.me t.me telegram.me weibo.com xing.com google.com goo.gl g.page
  bing.com apple.com yahoo.com msn.com wikipedia.org yelp.com tripadvisor.com foursquare.com yellowpages.com
  mapquest.com manta.com bbb.org angi.com homeadvisor.com thumbtack.com houzz.com nextdoor.com healthgrades.com
  zocdoc.com vitals.com avvo.com findlaw.com justia.com zillow.com realtor.com loopnet.com opentable.com resy.com
  toasttab.com doordash.com ubereats.com grubhub.com seamless.com postmates.com chownow.com clover.com
  booksy.com vagaro.com fresha.com mindbodyonline.com styleseat.com schedulicity.com booking.com expedia.com
  airbnb.com hotels.com etsy.com ebay.com amazon.com walmart.com alibaba.com linktr.ee linktree.com bit.ly
  tinyurl.com about.me carrd.co beacons.ai eventbrite.com meetup.com gofundme.com paypal.com square.site
  blogspot.com wordpress.com tumblr.com medium.com substack.com wix.com weebly.com squarespace.com godaddy.com
  sites.google.com web.app docs.google.com business.site gelbeseiten.de pagesjaunes.fr paginasamarillas.es
  paginegialle.it yell.com trustpilot.com crunchbase.com glassdoor.com indeed.com bloomberg.com dnb.com
  opencorporates.com zoominfo.com`.split(/\s+/),
);

/**
 * The domain that a business owns, of an address or a host: `https://shop.acme.co.uk/a` is `acme.co.uk`. Undefined when the
 * text names no domain, or one that many businesses have their pages on.
 */
export function registrableDomain(text: string): string | undefined {
  const trimmed = text.slice(0, MAX_ADDRESS_CHARS).trim();
  const isAddress = /^[a-z][a-z\d+.-]{0,20}:\/\//i.test(trimmed);
  const host =
    URL.parse(isAddress ? trimmed : `https://${trimmed}`)?.hostname.replace(/\.$/, '') ?? '';
  if (host === '' || host.length > MAX_HOST_CHARS) return undefined;
  const domain = getDomain(host, { allowPrivateDomains: true });
  return domain === null || isSharedHost(domain) ? undefined : domain;
}

/** Whether many businesses have their pages on it. */
export const isSharedHost = (domain: string): boolean => SHARED_HOSTS.has(domain);
