import { collapse, isItem, type PageRegion, textOf } from '@app/content';
import { type Element, isTag } from 'domhandler';
import { type ProfileSighting } from '../company-page.js';
import { ownLabel } from '../domain.js';
import { MAX_PAGE_PROFILES } from '../limits.js';
import { marksOf, type OwnVoice } from '../page/own-voice.js';
import { type SurveyedPage } from '../page/page-survey.js';
import { type Profile, profileOf } from './profile-of.js';

/**
 * How much each place says that a profile is the site's own. The site says so itself by `sameAs`,
 * `rel=me` and its meta elements; head and foot of a page are the site's; a link in the text may be
 * about others, unless it is an icon, is named for the network or for the site.
 */
const POINTS = {
  stated: 6,
  relMe: 6,
  frame: 4,
  social: 3,
  namesake: 3,
  /** Below what is taken (see join-profiles.ts): only repetition over pages could lift it. */
  mention: 0.2,
} as const;
/** A person's profile in place of the company's. */
const PERSON_SHARE = 0.25;

const FRAME: ReadonlySet<PageRegion> = new Set(['head', 'nav', 'foot']);
const SOCIAL_MARKS = /(?:^|[\s_-])(?:social\w*|follow\w*|sns|connect|netzwerke|redes)(?:[\s_-]|$)/i;
const NAMED =
  /^(?:(?:follow|find|like|join|visit|watch|see|connect with|folgen sie|suivez|síguenos|seguici)\b.{0,30})?(?:our\s)?(?:linked-?in|twitter|x|facebook|fb|instagram|insta|ig|youtube|yt)(?:\s(?:page|profile|channel|icon|logo|link|account|@?[\w.]{1,30}))?$/i;
const SHARING = /(?:^|[\s_-])(?:share\w*|sharing|addtoany|addthis|tweet-?this)(?:[\s_-]|$)/i;
/** Types of things whose `sameAs` is not the company's. */
const NO_ORGANIZATION =
  /^(?:Person|Patient|.*Article|BlogPosting|SocialMediaPosting|Product|ProductGroup|Review|.*Event|Book|Movie|Recipe|VideoObject|ImageObject|Song|MusicRecording|PodcastEpisode|JobPosting|Place|City|Country|Thing|ListItem)$/;

/** Profiles that a page links to, with points; the best of each network is the company's. */
export function findProfiles(surveyed: SurveyedPage): readonly ProfileSighting[] {
  const sightings = new Map<string, ProfileSighting>();
  const see = (profile: Profile | undefined, points: number): void => {
    if (profile === undefined || sightings.size >= MAX_PAGE_PROFILES) return;
    const worth = profile.isPerson ? points * PERSON_SHARE : points;
    const key = profile.url.toLowerCase();
    const known = sightings.get(key);
    if (known !== undefined && known.points >= worth) return;
    sightings.set(key, { network: profile.network, url: known?.url ?? profile.url, points: worth });
  };
  for (const url of statedProfiles(surveyed)) see(profileOf(url), POINTS.stated);
  const label = ownLabel(surveyed.domain);
  for (const link of surveyed.survey.links) {
    const address = surveyed.page.resolver.resolveWeb(link.href);
    const profile = address === undefined ? undefined : profileOf(address);
    if (profile !== undefined) see(profile, pointsOf(link, profile, label, surveyed.voice));
  }
  return [...sightings.values()];
}

/**
 * What the page says of itself: `sameAs` of organizations and the meta elements of two networks.
 */
function statedProfiles({ nodes, page, markings }: SurveyedPage): readonly string[] {
  const same = nodes
    .filter(({ types, path }) => isOrganization(types) && !path.includes('itemListElement'))
    .flatMap(({ item }) => [item.sameAs].flat(1))
    .slice(0, MAX_PAGE_PROFILES)
    .map((value) => (isItem(value) ? value['@id'] : value))
    .filter((value) => typeof value === 'string');
  const site = page.metadata.twitter?.site;
  const handle = /^@(\w{1,15})$/.exec(site?.trim() ?? '')?.[1];
  const { publisher } = markings;
  return [
    ...same,
    ...(handle === undefined ? [] : [`https://twitter.com/${handle}`]),
    ...(publisher === undefined ? [] : [publisher]),
  ].flatMap((text) => {
    const address = text.trim().replace(/^(?:https?:)?\/\//i, 'https://');
    return address.startsWith('https://') ? [address] : [];
  });
}

const isOrganization = (types: readonly string[]): boolean =>
  types.length > 0 && !types.some((type) => NO_ORGANIZATION.test(type));

interface SeenLink {
  readonly element: Element;
  readonly region: PageRegion;
}

function pointsOf(link: SeenLink, profile: Profile, label: string, voice: OwnVoice): number {
  const { element } = link;
  if (isMarked(element, SHARING)) return 0;
  if (/(?:^|\s)me(?:\s|$)/i.test(element.attribs.rel ?? '')) return POINTS.relMe;
  if (voice.isOthers(link)) return 0;
  if (FRAME.has(link.region)) return isCredit(element) ? 0 : POINTS.frame;
  if (isNamesake(profile.handle, label)) return POINTS.namesake;
  const name = nameOf(element);
  // A link of nothing but an icon leads to the site's own profile.
  const isOfNetwork = name === '' || NAMED.test(name) || isMarked(element, SOCIAL_MARKS);
  return isOfNetwork && !profile.isPerson ? POINTS.social : POINTS.mention;
}

/** Handles are compared by letters and digits; short ones would be in everything. */
function isNamesake(handle: string, label: string): boolean {
  const [one, other] = [handle, label].map((name) =>
    name.toLowerCase().replace(/[^\p{L}\d]/gu, ''),
  );
  if (one === undefined || other === undefined || one.length < 3 || other.length < 3) return false;
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 5 && long.includes(short);
}

/** "Website by @pixelfarm" in a foot. */
const isCredit = ({ prev }: Element): boolean =>
  prev !== null && 'data' in prev && /\b(?:by|von|par|por|di|door)\s*$/i.test(prev.data.slice(-20));

const nameOf = (element: Element): string =>
  collapse(
    textOf(element, 60) || (element.attribs['aria-label'] ?? element.attribs.title ?? ''),
  ).slice(0, 80);

const MAX_CLIMB = 5;

function isMarked(start: Element, pattern: RegExp): boolean {
  let node: Element | null = start;
  for (let step = 0; node !== null && node.name !== 'body' && step < MAX_CLIMB; step++) {
    if (pattern.test(marksOf(node.attribs))) return true;
    node = node.parent !== null && isTag(node.parent) ? node.parent : null;
  }
  return false;
}
