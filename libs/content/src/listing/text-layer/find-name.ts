import { type Element } from 'domhandler';
import { collapse, textOf } from '../../dom/walk.js';
import { nameLetters } from '../entity/page-identity.js';
import { type Found } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { type PagePicture } from '../page-text/page-line.js';
import { plainLine } from '../values/plain-text.js';
import { usState } from '../values/us-states.js';
import { siteOf } from '../values/web-address.js';
import { type TextPage } from './text-page.js';

/** Headings that name a kind of page, not a business. */
const GENERIC =
  /^(?:welcome|hours|untitled|new page|coming soon|call (?:now|us)).*$|^(?:home|home ?page|about(?: us)?|contact(?: us)?|visit(?: us)?|find us|our story|locations?|services|menu|gallery|kontakt|impressum|startseite|accueil|our store|store|directions|get in touch|index|page not found|book now|team|news|blog|shop|products?|faqs?|pricing|search)\W*$|^(?:results for|search results|copyright|opens|skip to|toggle)\b/i;
const TITLE_SEPARATOR = /(?<!\s)\s+[|–—·•»:-]+\s+|(?:(?<!\s)\s+)?[|»]\s*|\s::\s|:\s/;
const COPYRIGHT =
  /(?:©|\(c\)|copyright)[\s©,:]{0,4}(?:\d{4}(?:\s?[-–—]\s?(?:\d{4}|present))?)?[\s,.-]{0,3}(?:by\s)?([^|·•.\d]{3,60})/i;
const LEGAL =
  /(?<![,\s/])[,\s/]+(?:all rights reserved.*|powered by.*|(?:web\s?)?(?:site|design|designed) by.*|inc|llc|ltd|corp|co)\.?$/i;
/** `…, Springboro OH` at the end of a title. */
const TOWN_TAIL = /,\s\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*){0,3},?\s(\p{Lu}{2})$/u;
/** `monroe-landscaping`: the name of a picture, not of a business. */
const FILE_NAME = /^[a-z\d]+(?:[-_][a-z\d]+)+$/;
const MAX_NAME_CHARS = 80;
const MAX_CANDIDATES = 30;

interface Candidate {
  readonly name: string;
  readonly path: string;
  readonly points: number;
}

export interface NameSources {
  readonly described: readonly Element[];
  readonly siteName: string | undefined;
  readonly ogTitle: string | undefined;
}

/**
 * The name a page without markup gives its business: what heading, title, logo, site name and
 * copyright agree on, and the host resembles. On a directory's page it is the heading.
 */
export function findName(page: TextPage, sources: NameSources): Found<string> | undefined {
  const candidates = candidatesOf(page, sources).filter(({ name }) => isName(name));
  const host = hostKey(page.identity.url);
  let best: { readonly candidate: Candidate; readonly points: number } | undefined;
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const points =
      candidate.points +
      agreement(candidate, candidates) +
      resemblance(candidate.name, host, page.isDirectory);
    if (best === undefined || points > best.points) best = { candidate, points };
  }
  return best && { value: best.candidate.name, path: best.candidate.path };
}

function isName(name: string): boolean {
  return (
    name.length >= 2 &&
    !name.endsWith('?') &&
    !name.startsWith('@') &&
    !FILE_NAME.test(name) &&
    name.length <= MAX_NAME_CHARS &&
    /\p{L}{2}/u.test(name) &&
    !GENERIC.test(name)
  );
}

/** Other sources that say the same. */
function agreement({ name, path }: Candidate, all: readonly Candidate[]): number {
  const key = nameLetters(name);
  const others = new Set(
    all
      .filter((other) => other.path !== path && nameLetters(other.name) === key)
      .map((other) => other.path),
  );
  return 3 * others.size;
}

/** `joesplumbing.com` and "Joe's Plumbing"; on a directory the host names the directory. */
function resemblance(name: string, host: string, isDirectory: boolean): number {
  const key = nameLetters(name.replace(/^the\s/i, ''));
  if (key.length < 3 || host.length < 3) return 0;
  const isAlike = host.includes(key) || key.includes(host) || sharesStart(key, host);
  if (!isAlike) return 0;
  return isDirectory ? -6 : 5;
}

function sharesStart(key: string, host: string): boolean {
  const length = Math.min(key.length, host.length, 6);
  return length >= 5 && key.slice(0, length) === host.slice(0, length);
}

const hostKey = (url: string): string =>
  nameLetters(siteOf(url).split('.').slice(0, -1).join('').replace(/co$/, ''));

function candidatesOf(page: TextPage, sources: NameSources): readonly Candidate[] {
  const { identity, isDirectory } = page;
  const title = identity.title.split(TITLE_SEPARATOR).map((part) => part.trim());
  const ofSite = isDirectory ? -10 : 0;
  const given = (name: string | undefined, path: string, points: number): readonly Candidate[] =>
    name === undefined ? [] : [{ name: withoutTown(collapse(name)), path, points }];
  return [
    ...headings(sources.described, isDirectory),
    ...given(sources.siteName, 'meta[property="og:site_name"]', 4 + ofSite),
    ...logos(page).map((candidate) => ({ ...candidate, points: candidate.points + ofSite })),
    ...copyright(page).map((candidate) => ({ ...candidate, points: candidate.points + ofSite })),
    ...title.flatMap((name, index) => given(name, 'title', titlePoints(title, index))),
    ...given(sources.ogTitle, 'meta[property="og:title"]', 1),
    ...bigLines(page),
  ];
}

function withoutTown(name: string): string {
  const tail = TOWN_TAIL.exec(name.slice(-60));
  return tail?.[1] !== undefined && usState(tail[1]) !== undefined
    ? name.slice(0, name.length - tail[0].length)
    : name;
}

/** The first or the last part of a title is the name; sentences are not. */
function titlePoints(parts: readonly string[], index: number): number {
  const isEnd = index === 0 || index === parts.length - 1;
  const words = (parts[index] ?? '').split(' ').length;
  return (isEnd ? 2 : 0) - (words > 5 ? 2 : 0);
}

function headings(described: readonly Element[], isDirectory: boolean): readonly Candidate[] {
  const h1 = described.find(({ name }) => name === 'h1');
  const name = h1 === undefined ? undefined : plainLine(collapse(textOf(h1, 400)), 200);
  return h1 === undefined || name === undefined
    ? []
    : [{ name, path: selectorOf(h1), points: isDirectory ? 12 : 3 }];
}

function logos({ survey }: TextPage): readonly Candidate[] {
  const pictures = survey.pictures
    .filter(isLogo)
    .slice(0, 3)
    .flatMap(({ alt, element }) => {
      const name = plainLine(withoutLogo(alt), 200);
      return name === undefined ? [] : [{ name, path: selectorOf(element), points: 3 }];
    });
  const texts = survey.links
    .filter(isBrandLink)
    .slice(0, 3)
    .flatMap(({ element }) => {
      const name = plainLine(withoutLogo(textOf(element, 200)), 200);
      return name === undefined ? [] : [{ name, path: selectorOf(element), points: 3 }];
    });
  return [...pictures, ...texts];
}

const isLogo = ({ src, element, region }: PagePicture): boolean =>
  /logo|brand|wordmark/i.test(
    `${src.slice(-100)} ${element.attribs.class ?? ''} ${element.attribs.id ?? ''} ${element.attribs.alt ?? ''}`,
  ) || region === 'head';

function isBrandLink({ element, region, href }: TextPage['survey']['links'][number]): boolean {
  const marks = `${element.attribs.class ?? ''} ${element.attribs.id ?? ''} ${element.attribs.rel ?? ''}`;
  return (
    /brand|logo|site-?title/i.test(marks) ||
    (region === 'head' && /^(?:\/|#|index\.\w+|https?:\/\/[^/]+\/?)$/.test(href))
  );
}

function copyright({ survey }: TextPage): readonly Candidate[] {
  for (
    let index = survey.lines.length - 1;
    index >= Math.max(0, survey.lines.length - 40);
    index--
  ) {
    const line = survey.lines[index];
    const found = COPYRIGHT.exec(line?.text.slice(0, 300) ?? '')?.[1];
    const name = found === undefined ? undefined : plainLine(holder(found), 200);
    if (line !== undefined && name !== undefined)
      return [{ name, path: selectorOf(line.element), points: 2 }];
  }
  return [];
}

/** `Joe's Plumbing logo, link to home page`. */
const withoutLogo = (text: string): string =>
  text.replace(
    /(?:(?<![\s,-])[\s,-]+)?(?:\b(?:logo|logotype|icon|home ?page)\b|logo(?=\p{Lu})).*$|(?<!\s)\s+home\s*$/isu,
    '',
  );

const holder = (text: string): string =>
  (text.split(/\s[-–—]\s/)[0] ?? '')
    .trim()
    .replace(LEGAL, '')
    .replace(/(?<![\s,.–—-])[\s,.–—-]+$/, '');

/** Old pages set their name in large letters instead of a heading. */
function bigLines({ survey, identity }: TextPage): readonly Candidate[] {
  const [first] = survey.lines;
  if (identity.h1 !== '' || first === undefined || first.text.length > MAX_NAME_CHARS) return [];
  return [{ name: first.text, path: selectorOf(first.element), points: 0 }];
}
