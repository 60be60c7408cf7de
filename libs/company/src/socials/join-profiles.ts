import { type SocialNetwork, type Socials, SOCIAL_NETWORKS } from '../social-networks.js';
import { type ProfileSighting } from '../company-page.js';

/** Points that a profile needs over all pages to be taken for the company's. */
const LEAST_POINTS = 1;

/**
 * The company's profile at each network: the one with the most points over all pages, the first
 * seen of equals.
 */
export function joinProfiles(pages: readonly (readonly ProfileSighting[])[]): Socials {
  const points = new Map<string, ProfileSighting>();
  for (const sighting of pages.flat()) {
    const key = sighting.url.toLowerCase();
    const known = points.get(key);
    points.set(
      key,
      known === undefined ? sighting : { ...known, points: known.points + sighting.points },
    );
  }
  const best = (network: SocialNetwork): ProfileSighting | undefined =>
    [...points.values()]
      .filter((one) => one.network === network && one.points >= LEAST_POINTS)
      .reduce<ProfileSighting | undefined>(
        (first, one) => (first === undefined || one.points > first.points ? one : first),
        undefined,
      );
  const found = SOCIAL_NETWORKS.map((network) => [network, best(network)?.url] as const);
  return Object.fromEntries(found.filter(([, url]) => url !== undefined));
}
