import { nameLetters } from '../entity/page-identity.js';
import { type ListingSurvey } from '../page-text/survey-page.js';
import { siteOf } from '../values/web-address.js';

const PATH =
  /\/(?:biz|business|businesses|listing|listings|mip|profile|company|companies|restaurants?|hotels?|venues?|dentists?|doctors?|providers?|lawyers?|directory|place|places|vendors?|r|hotel|org)\/[^/]/i;
const INVITATIONS =
  /claim (?:this|your|my) (?:business|listing|profile|page)|write a review|suggest an edit|is this your (?:business|practice|listing)|report (?:this )?(?:listing|business|an? error)|people also viewed|add a? ?photos?|update this listing|similar (?:businesses|places|restaurants|listings)|find a business/i;
const WEBSITE_LINK =
  /^(?:visit )?(?:business |official |their |company |restaurant )?(?:website|web site|homepage)\.?$/i;
const MAX_LINES = 2_000;

/**
 * Whether a page looks like a directory's page about a business: its path, invitations to claim or
 * review, a link to the website of the business. One sign alone is not enough.
 */
export function looksLikeDirectory(
  survey: ListingSurvey,
  url: string,
  siteName: string | undefined,
): boolean {
  const lines = survey.lines.slice(0, MAX_LINES);
  const invites = lines.some(({ text }) => text.length < 100 && INVITATIONS.test(text));
  const linksAway =
    lines.some(({ text }) => WEBSITE_LINK.test(text)) && hasOutsideWebsite(survey, url);
  const isNamed = siteName !== undefined && isDirectoryName(siteName);
  const path = URL.parse(url)?.pathname ?? '';
  return [invites, linksAway, isNamed, PATH.test(path)].filter(Boolean).length >= 2;
}

function hasOutsideWebsite({ links }: ListingSurvey, url: string): boolean {
  const site = siteOf(url);
  return links.some(({ href }) => /^https?:/i.test(href) && siteOf(href) !== site);
}

const isDirectoryName = (name: string): boolean =>
  /(?:reviews?|pages|directory|finder|listings?|advisor|spots|near ?me|guide|local|city ?search|find)/i.test(
    nameLetters(name),
  );
