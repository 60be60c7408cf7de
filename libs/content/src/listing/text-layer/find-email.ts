import { type Found } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { readEmail } from '../values/email.js';
import { siteOf } from '../values/web-address.js';
import { isOwn, type TextPage } from './text-page.js';

const MAX_EMAILS = 100;

/** A mail address of the page: one of its own site first, then linked ones, then the first shown. */
export function findEmail(page: TextPage): Found<string> | undefined {
  const site = siteOf(page.identity.url);
  let best: (Found<string> & { readonly points: number }) | undefined;
  for (const { value, path, points } of sightings(page)) {
    const isOfSite = value.endsWith(`@${site}`) && !page.isDirectory;
    const total = points + (isOfSite ? 3 : 0);
    if (best === undefined || total > best.points) best = { value, path, points: total };
  }
  return best && { value: best.value, path: best.path };
}

function sightings(page: TextPage): readonly (Found<string> & { readonly points: number })[] {
  const links = page.survey.links.filter(
    (link) => /^\s*mailto:/i.test(link.href) && isOwn(link, page),
  );
  const linked = links
    .slice(0, MAX_EMAILS)
    .map(({ href, element }) => ({ text: decoded(href), element, points: 2 }));
  const shown = page.survey.lines
    .filter((line) => isOwn(line, page) && /@|[[(]\s?at\s?[\])]/i.test(line.text))
    .slice(0, MAX_EMAILS)
    .map(({ text, element }) => ({ text, element, points: 1 }));
  return [...linked, ...shown].flatMap(({ text, element, points }) => {
    const value = readEmail(text);
    return value === undefined ? [] : [{ value, path: selectorOf(element), points }];
  });
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // A stray percent sign; the address before it is still readable.
    return href;
  }
}
