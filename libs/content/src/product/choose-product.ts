import { nameLetters, type PageIdentity } from '../listing/entity/page-identity.js';
import { ABOUT, type RelatedThing } from '../listing/entity/related-thing.js';
import { textsOf, type Thing, thingsOf } from '../listing/thing.js';
import { samePage } from '../listing/values/web-address.js';

const PRODUCT =
  /^(?:Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Car|Motorcycle|ProductCollection)$/;
/** Works that shops sell: products where they have an offer. */
const WORK = /^(?:Book|Movie|MusicAlbum|VideoGame|SoftwareApplication|CreativeWork|Event|Offer)$/;

/** Things examined as the page's subject. */
const MAX_CANDIDATES = 500;

/** The product a page is about among the things it marks up; null: none, or a shelf of several. */
export function chooseProduct(things: readonly RelatedThing[], page: PageIdentity): Thing | null {
  let best: { readonly thing: Thing; readonly points: number } | null = null;
  const names = new Set<string>();
  for (const { thing, relations } of things.slice(0, MAX_CANDIDATES)) {
    const isTop = relations.every((name) => ABOUT.has(name) || name === 'offers');
    const kind = kindOf(thing);
    if (!isTop || kind === 0) continue;
    const match = matchOf(thing, page);
    const points = 10 * kind + match + (hasOffer(thing) ? 15 : 0);
    if (match === 0) names.add(nameLetters(textsOf(thing, 'name')[0]?.text ?? ''));
    if (best === null || points > best.points) best = { thing, points };
  }
  const isMatched = best !== null && matchOf(best.thing, page) > 0;
  // Products of which the page names none are its list.
  return best === null || (!isMatched && names.size > 1) ? null : best.thing;
}

function kindOf(thing: Thing): number {
  if (thing.types.some((type) => PRODUCT.test(type))) return 2;
  return thing.types.some((type) => WORK.test(type)) && hasOffer(thing) ? 1 : 0;
}

const hasOffer = (thing: Thing): boolean =>
  thingsOf(thing, 'offers').length > 0 || textsOf(thing, 'price').length > 0;

function matchOf(thing: Thing, page: PageIdentity): number {
  const name = nameLetters(textsOf(thing, 'name')[0]?.text ?? '');
  const own = textsOf(thing, 'url')[0]?.text.trim() ?? '';
  const address = own === '' ? undefined : page.resolver.resolveWeb(own);
  const isHere =
    address !== undefined &&
    (samePage(address, page.url) ||
      (page.canonical !== undefined && samePage(address, page.canonical)));
  if (name.length < 2) return isHere ? 20 : 0;
  const [heading, title] = [nameLetters(page.h1), nameLetters(page.title)];
  const isNamed =
    heading.includes(name) || title.includes(name) || (heading !== '' && name.includes(heading));
  return (isHere ? 20 : 0) + (heading === name ? 25 : isNamed ? 15 : 0);
}
