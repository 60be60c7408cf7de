import { textOf } from '../../dom/walk.js';
import { type Found } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { readAddressOfSite, siteOf } from '../values/web-address.js';
import { isOwn, type TextPage } from './text-page.js';

const LABEL = /\b(?:web ?site|homepage|home page|visit (?:us )?online)\b/i;
const SOCIAL =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linkedin|youtube|pinterest|tiktok|yelp|google|goo|apple|tripadvisor|opentable|doordash|ubereats|grubhub|wa|whatsapp|t|bit)\.(?:com|co|me|gl|ly)$/;
const LABEL_CHARS = 60;

/** The business's own site, linked from a page of another site. */
export function findWebsite(page: TextPage): Found<string> | undefined {
  const site = siteOf(page.identity.url);
  const labelledLines = new Set(
    page.survey.lines
      .filter(({ text }) => text.length <= LABEL_CHARS && LABEL.test(text))
      .map(({ element }) => element.parent),
  );
  for (const { href, element, region } of page.survey.links) {
    const address = isOwn({ region }, page)
      ? readAddressOfSite(href, page.identity.resolver)
      : undefined;
    if (address === undefined || siteOf(address) === site || SOCIAL.test(siteOf(address))) continue;
    const isLabelled = LABEL.test(
      `${textOf(element, LABEL_CHARS)} ${element.attribs.class ?? ''} ${element.attribs['aria-label'] ?? ''}`,
    );
    if (isLabelled || labelledLines.has(element.parent))
      return { value: address, path: selectorOf(element) };
  }
  return undefined;
}
