import { SENTENCE_SIGNS, withoutTrailing } from './trailing-signs.js';

const WHO = String.raw`(?:compan(?:y|ies)|business(?:es)?|sites?|websites?|shops?|stores?|firms?|practices?|startups?|organi[sz]ations?|agencies|who|brands?)`;
const USES = String.raw`(?:(?:that |which |who )?(?:are )?(?:us(?:es?|ing)|run(?:s|ning)?(?: on)?|built (?:with|on)|powered by|on|with))`;
const USERS = new RegExp(String.raw`\b${WHO} ${USES} (.+)$`, 'i');
const END = /\s(?:in|near|around|located|based|with|without|that)\s.*$/i;
const MAX_TECHNOLOGIES = 10;

/** Technologies whose users a request looks for: `companies using Shopify and Stripe in Texas`. */
export function namedTechnologies(text: string): readonly string[] {
  const found = USERS.exec(text)?.[1]?.replace(END, '');
  if (found === undefined) return [];
  const parts = withoutTrailing(found, SENTENCE_SIGNS)
    .split(/,|\band\b|\bor\b|&/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // Names of products have a capital letter; `with a website` names none.
  const isName = parts.every((part) => /\p{Lu}/u.test(part) && part.split(' ').length <= 3);
  return isName ? parts.slice(0, MAX_TECHNOLOGIES) : [];
}
