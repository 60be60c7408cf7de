import { type PageIdentity } from './entity/page-identity.js';

/** The front page under its other names: of a language, or the file that servers give for `/`. */
const HOME_PATH =
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?(?:\/|$))?(?:(?:index|home|default|welcome)(?:\.[a-z]{2,5})?\/?)?$/i;
const CONTACT_PATH =
  /\/(?:our-|the-)?(?:contacts?|locations?|visit|find|hours|about|directions|kontakt|impressum)(?:[-_]?us)?(?:[-_](?:and[-_])?(?:hours|locations?|contact|directions|info))?(?:\.[a-z]{2,5})?\/?$/i;
/** Parameters that say where a visitor came from, not which page it is. */
const PASSING_PARAMETER = /^(?:utm_\w+|gclid|fbclid|msclkid|y_source|ref|lang|hl)$/i;

/**
 * Whether a page is the front or the contact page of its site, by its address or its canonical one:
 * its header and footer then describe the page's own subject.
 */
export function isHomeOrContactPage({ url, canonical }: PageIdentity): boolean {
  return [url, canonical].some((address) => address !== undefined && isOwnAddress(address));
}

function isOwnAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (CONTACT_PATH.test(url.pathname)) return true;
  const parameters = [...url.searchParams.keys()];
  return HOME_PATH.test(url.pathname) && parameters.every((name) => PASSING_PARAMETER.test(name));
}
