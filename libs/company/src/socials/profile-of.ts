import type { SocialNetwork } from '../social-networks.js';

/** A profile's address in the one spelling that all links to it share. */
export interface Profile {
  readonly network: SocialNetwork;
  readonly url: string;
  /** What the owner is called there, in lower case. */
  readonly handle: string;
  /** Of a person and not of an organization (LinkedIn distinguishes them). */
  readonly isPerson: boolean;
}

interface Network {
  readonly network: SocialNetwork;
  readonly host: RegExp;
  /** Path, from the second segment of the address on, of a profile; undefined of anything else. */
  readonly profile: (segments: readonly string[], url: URL) => ProfilePath | undefined;
}

interface ProfilePath {
  readonly url: string;
  readonly handle: string;
  readonly isPerson?: boolean;
}

const NETWORKS: readonly Network[] = [
  { network: 'linkedin', host: /^(?:[a-z]{2,3}\.)?linkedin\.com$/, profile: linkedin },
  { network: 'twitter', host: /^(?:mobile\.)?(?:twitter|x)\.com$/, profile: twitter },
  {
    network: 'facebook',
    host: /^(?:(?:m|mbasic|web|touch|business|[a-z]{2}-[a-z]{2})\.)?facebook\.com$|^fb\.com$/,
    profile: facebook,
  },
  { network: 'instagram', host: /^(?:m\.)?(?:instagram\.com|instagr\.am)$/, profile: instagram },
  { network: 'youtube', host: /^(?:m\.)?youtube\.com$/, profile: youtube },
];

/**
 * The profile that an absolute web address names; undefined of share, login and plugin links, of
 * single posts and videos, and of the networks' front pages.
 */
export function profileOf(address: string): Profile | undefined {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/^www\./, '') ?? '';
  const known = NETWORKS.find((network) => network.host.test(host));
  if (url === null || known === undefined) return undefined;
  const segments = url.pathname
    .split('/')
    .map(decoded)
    .filter((segment) => segment !== '');
  const path = known.profile(segments.slice(0, 6), url);
  if (path === undefined || STAND_INS.test(path.handle)) return undefined;
  return {
    network: known.network,
    url: path.url,
    handle: path.handle.toLowerCase(),
    isPerson: path.isPerson ?? false,
  };
}

/** Placeholder links of templates. */
const STAND_INS =
  /^(?:#|your[-_.]?\w{0,20}|user-?name|profile|example|my-?page|company-?name|page-?name|wix|wixstudio|squarespace|wordpress|wordpressdotcom|weebly|shopify|godaddy|webflow|elementor|envato|themeforest|bootstrap|getbootstrap|colorlib|yoast|jimdo|duda|tiktok|facebook|facebookapp|twitter|instagram|youtube|linkedin|meta|google)$/i;

function linkedin([kind = '', name = '']: readonly string[]): ProfilePath | undefined {
  const at = {
    company: 'company',
    companies: 'company',
    school: 'school',
    showcase: 'showcase',
    in: 'in',
  };
  const folder = Object.hasOwn(at, kind) ? at[kind as keyof typeof at] : undefined;
  if (folder === undefined || !isName(name, 100) || /^(?:setup|unavailable|login)$/.test(name))
    return undefined;
  return {
    url: `https://www.linkedin.com/${folder}/${encodeURIComponent(name)}`,
    handle: name,
    isPerson: folder === 'in',
  };
}

const TWITTER_PAGES =
  /^(?:share|intent|home|search|hashtag|login|logout|signup|i|oauth|explore|settings|messages|notifications|compose|tos|privacy|about|download|jobs|widgets|statuses|account|who_to_follow|goodies|favorites)$/i;

function twitter([first = '', second = '']: readonly string[], url: URL): ProfilePath | undefined {
  const written = first === '' ? (/^#!\/@?(\w{1,15})/.exec(url.hash)?.[1] ?? '') : first;
  const handle = written.replace(/^@/, '');
  if (!/^\w{1,15}$/.test(handle) || TWITTER_PAGES.test(handle)) return undefined;
  if (/^(?:status(?:es)?|lists|moments|likes)$/.test(second)) return undefined;
  const host = url.hostname.endsWith('x.com') ? 'x.com' : 'twitter.com';
  return { url: `https://${host}/${handle}`, handle };
}

const FACEBOOK_PAGES =
  /^(?:sharer?|share_channel|dialog|plugins|tr|login|recover|reg|events?|photos?|videos?|watch|reels?|stories|story|permalink|media|hashtag|policies|policy|privacy|help|legal|terms|settings|groups?|marketplace|gaming|games|ads|adsmanager|business|pages_manager|messages|l|flx|connect|about|home|notes|tools|campaign|docs|platform|fbml|\d{4}|v\d+\.\d+)(?:\.php)?$/i;

function facebook(segments: readonly string[], url: URL): ProfilePath | undefined {
  const [first = '', second = '', third = ''] = segments;
  const base = 'https://www.facebook.com';
  if (first === 'profile.php') {
    const id = url.searchParams.get('id') ?? '';
    return /^\d{4,20}$/.test(id) ? { url: `${base}/profile.php?id=${id}`, handle: id } : undefined;
  }
  if (/^(?:pages|people|pg|p)$/.test(first)) {
    const isNumbered = /^\d{4,20}$/.test(third) && first !== 'pg' && first !== 'p';
    if (!isName(second, 100) || /^(?:create|category)$/.test(second)) return undefined;
    const path = [first, second, ...(isNumbered ? [third] : [])].map(encodeURIComponent).join('/');
    return first === 'pg'
      ? { url: `${base}/${encodeURIComponent(second)}`, handle: second }
      : { url: `${base}/${path}`, handle: second };
  }
  if (!/^[\p{L}\d.-]{2,80}$/u.test(first) || FACEBOOK_PAGES.test(first)) return undefined;
  if (/^(?:posts|photos|videos|events|permalink|reel|media_set)$/.test(second) && third !== '')
    return undefined;
  return { url: `${base}/${encodeURIComponent(first)}`, handle: first };
}

const INSTAGRAM_PAGES =
  /^(?:p|reels?|tv|stories|explore|accounts|about|developer|legal|direct|share|web|emails|press|api|oauth|ar|s|_[nu])$/i;

function instagram([first = '', second = '']: readonly string[]): ProfilePath | undefined {
  const handle = first.replace(/^@/, '');
  if (!/^[\w.]{1,30}$/.test(handle) || INSTAGRAM_PAGES.test(handle)) return undefined;
  if (/^(?:p|reel)$/.test(second)) return undefined;
  return { url: `https://www.instagram.com/${handle}`, handle };
}

const YOUTUBE_PAGES =
  /^(?:watch|embed|playlist|shorts|results|feed|live|t|about|redirect|v|e|hashtag|premium|account|creators|ads|yt|kids|music|gaming|iframe_api|player_api|static|s|api|attribution_link|clip|post|signin|supported_browsers|howyoutubeworks|img)$/i;

function youtube([first = '', second = '']: readonly string[]): ProfilePath | undefined {
  const base = 'https://www.youtube.com';
  if (/^@[\p{L}\d._-]{2,60}$/u.test(first))
    return { url: `${base}/${first}`, handle: first.slice(1) };
  if (/^(?:channel|c|user)$/.test(first))
    return isName(second, 100)
      ? { url: `${base}/${first}/${encodeURIComponent(second)}`, handle: second }
      : undefined;
  const isVanity = /^\w[\w-]{2,59}$/.test(first) && !YOUTUBE_PAGES.test(first);
  return isVanity && second === '' ? { url: `${base}/${first}`, handle: first } : undefined;
}

const isName = (text: string, mostChars: number): boolean =>
  text.length <= mostChars && /^[\p{L}\d][\p{L}\d&'’._-]*$/u.test(text);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign: no profile has one, so the segment fails its pattern.
    return segment;
  }
}
