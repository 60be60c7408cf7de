import { type Element } from 'domhandler';
import { type PageRegion } from '../page-text/page-line.js';
import { findAddress } from './find-address.js';
import { findEmail } from './find-email.js';
import { findHours } from './find-hours.js';
import { findPhone } from './find-phone.js';
import { findTown } from './find-town.js';
import { type TextPage } from './text-page.js';

/** Elements above a line that are examined for the one that holds the content. */
const MAX_LEVELS = 30;
const CONTENT = new Set(['main', 'article']);

/**
 * Whether the content of a page, without the head and foot that all pages of its site share,
 * describes a place: a street, or a town or hours and how to reach it.
 */
export function showsPlace(page: TextPage): boolean {
  const content = contentOf(page);
  const { address, city } = { ...findTown(content), ...findAddress(content) };
  if (address !== undefined) return true;
  if (city === undefined && findHours(content) === undefined) return false;
  return findPhone(content) !== undefined || findEmail(content) !== undefined;
}

/**
 * Whether a page is named for the town of the address it shows, wherever that is: `Water heaters
 * in Troy`. The last part of a title names the site and counts only where it is all there is.
 */
export function namesItsTown(page: TextPage): boolean {
  const { h1, title, url } = page.identity;
  const town = wordsOf(findAddress(page).city?.value ?? '');
  const parts = title.split(TITLE_SEPARATOR);
  const subject = parts.slice(0, Math.max(1, parts.length - 1)).join(' ');
  const path = URL.parse(url)?.pathname ?? '';
  return town.trim() !== '' && [h1, subject, path].some((name) => wordsOf(name).includes(town));
}

const TITLE_SEPARATOR = /\s[|–—·•»:-]+\s|[|»]/;

/** Words between single spaces, so that Troy is not found in "destroyed". */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

function contentOf(page: TextPage): TextPage {
  const { survey } = page;
  const lines = survey.lines.filter(isContent);
  const links = survey.links.filter(isContent);
  const frames = survey.frames.filter(isContent);
  return { ...page, survey: { ...survey, lines, links, frames } };
}

interface Placed {
  readonly region: PageRegion;
  readonly element: Element;
}

/** Articles have heads and feet of their own. */
function isContent({ region, element }: Placed): boolean {
  if (region === 'body') return true;
  return (region === 'head' || region === 'foot') && isInContent(element);
}

function isInContent(element: Element): boolean {
  let level: Element['parent'] = element;
  for (let count = 0; level !== null && count < MAX_LEVELS; count++) {
    if ('name' in level && CONTENT.has(level.name)) return true;
    level = level.parent;
  }
  return false;
}
