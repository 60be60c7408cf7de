import { type Document, Element, isTag, isText } from 'domhandler';
import { isHidden } from '../dom/visibility.js';
import { walk } from '../dom/walk.js';
import { nameLetters } from '../listing/entity/page-identity.js';
import { type Found } from '../listing/listing-values.js';
import { selectorOf } from '../listing/page-text/selector-of.js';
import { BUYS, shownAvailability } from './availability.js';
import { type Money, moneyOf } from './money.js';
import { type ProductFields } from './product-values.js';
import { gtinIn } from './read-markup.js';

/** Elements that are read: the product is among the first of a page, its recommendations are not. */
const MAX_ELEMENTS = 20_000;
/** Elements on each side of the main heading that may be of the product. */
const NEAR = 700;
const NEAR_BEFORE = 120;
const MAX_NODES_INSIDE = 14;
const MAX_TEXT_CHARS = 160;

const SKIPPED = new Set('script style noscript template svg footer select iframe nav'.split(' '));
/** Parts about other products, and about the customer. */
const OTHERS =
  /(?:^|[\s_-])(?:related|recommend\w*|recs?|similar|also|cross-?sell|up-?sell|carousel|mini-?cart|basket|footer|breadcrumbs?|menu|nav|reviews?|sponsored|accessor\w*|recently|bundle|suggest\w*|frequently|compar\w*)(?:$|[\s_-])/i;
const PRICE_MARK = /price|preis|prix|precio|preco|prezzo|cena|hinta|pris|amount/i;
const OLD_MARK =
  /(?:^|[\s_-])(?:old|was|list|regular|rrp|strike\w*|stroke|compare|original|before|previous|uvp|msrp|crossed|del|line-?through|base-?price|reference|retail|std|high)|(?:old|was|list|regular|compare|original|strike|before)(?=[A-Z_-]?price)|[Pp]rice[_-]{0,2}(?:old|was|list|regular|rrp|compare|original|before|strike)/i;
const SIDE_MARK =
  /sav(?:e|ing)|ship|deliver|install|month|unit-?price|per-?unit|base-?unit|points|discount|deposit|tax|fee|financ|subscri|from-?price|coupon|reward/i;
const NOW_MARK = /current|sale|final|now|special|our|offer|actual|deal|promo|today|selling/i;

const ID_LABEL =
  /^\W*(?:(?:product |item |style |catalog(?:ue)? |stock |web |store |part )?(?:sku|code|id|no\.?|number|nr\.?|num\.?|#|ref(?:erence)?\.?)|sku(?: ?#)?|item(?: model)?|artikel(?:nummer|[- ]?nr\.?)|art\.?(?:ikel)?[- ]?(?:nr|no)\.?|best(?:ell)?\.?[- ]?(?:nr|nummer)\.?|produktnummer|référence|réf\.?|ref\.?|referencia|código|cód\.?|codice(?: prodotto)?|cod\.?|kod(?: produktu| produkta)?|kód(?: tovaru)?|šifra(?: izdelka| artikla)?|tootekood|tuotenumero|varenr\.?|artikelnr\.?|artnr\.?|código do produto|asin|артикул|код(?: товара)?|商品(?:コード|番号|編號|編号)|貨號|品番|상품번호|מק"?ט)\s?[:.#]?\s?(?:[:：]|is\b)?\s?/iu;
const ID = /^[#(]?([\p{Lu}\d][\p{Lu}\p{Ll}\d./_-]{2,29})\)?$/u;
const GTIN_LABEL = /^\W*(?:ean|upc|gtin|isbn|barcode)(?:[- ]?1[0-4])?\s?(?:code)?\s?[:.]?\s?/i;
const MPN_LABEL =
  /^\W*(?:mpn|(?:manufacturer(?:'s)? )?part (?:no\.?|number|#)|mfr\.? ?(?:part )?(?:no\.?|#|number)|model (?:no\.?|number|#)|herstellernummer)\s?[:.]?\s?/i;
const BRAND_LABEL =
  /^\W*(?:brand|marke|marque|marca|märke|značka|merk|бренд|hersteller)\s?[:：]\s?(?=\S)/i;

/** What a page shows of a product. */
export interface ShopText {
  readonly fields: ProductFields;
  /** A price near the heading that is marked as one, or beside an identifier or a button to buy. */
  readonly isShop: boolean;
  readonly isSoldOut: boolean;
}

export function readShopText(document: Document, title: string): ShopText {
  const reader = new ShopTextReader(nameLetters(title));
  walk(document, reader);
  return reader.finish();
}

interface PriceMark {
  readonly element: Element;
  readonly money: Money;
  readonly at: number;
  readonly points: number;
  readonly isOld: boolean;
}

class ShopTextReader {
  private seen = 0;
  private headingAt = -1;
  private isTitled = false;
  private crossed = 0;
  private readonly prices: PriceMark[] = [];
  private readonly ids: {
    readonly at: number;
    readonly field: 'sku' | 'mpn' | 'gtin' | 'brand';
    readonly found: Found<string>;
  }[] = [];
  private readonly states: {
    readonly at: number;
    readonly found: Found<'InStock' | 'OutOfStock'>;
  }[] = [];
  private buyAt: { readonly at: number; readonly path: string } | null = null;

  constructor(private readonly title: string) {}

  text(): void {
    // Texts are read with the element that holds them.
  }

  isDone(): boolean {
    return this.seen > MAX_ELEMENTS;
  }

  enter(element: Element): boolean {
    const { name, attribs } = element;
    if (SKIPPED.has(name) || isHidden(element)) return false;
    this.seen++;
    if (name === 'h1') this.meetHeading(element);
    const marks = `${attribs.class ?? ''} ${attribs.id ?? ''}`;
    if (name !== 'body' && name !== 'html' && OTHERS.test(marks.slice(0, 300))) return false;
    if (isCrossedOut(name)) this.crossed++;
    this.readElement(element, marks);
    return true;
  }

  /** The first, or the first that the title of the page names. */
  private meetHeading(element: Element): void {
    if (this.isTitled) return;
    const name = nameLetters(shortText(element));
    this.isTitled = name.length > 2 && this.title.includes(name);
    if (this.headingAt < 0 || this.isTitled) this.headingAt = this.seen;
  }

  leave({ name }: Element): void {
    if (isCrossedOut(name)) this.crossed--;
  }

  finish(): ShopText {
    const best = this.bestPrice();
    const list = best === null ? null : this.listPrice(best);
    const state = this.states.find(({ at }) => this.isNear(at, 2))?.found;
    const buy = this.buyAt;
    const first = (field: string): Found<string> | undefined =>
      this.ids.find((id) => id.field === field && this.isNear(id.at, 4))?.found;
    const fields: ProductFields = {
      brand: first('brand'),
      price: best === null ? undefined : amountAt(best),
      currency:
        best?.money.currency === undefined
          ? undefined
          : { value: best.money.currency, path: selectorOf(best.element) },
      list_price: list === null ? undefined : amountAt(list),
      availability: state ?? (buy === null ? undefined : { value: 'InStock', path: buy.path }),
      sku: first('sku'),
      mpn: first('mpn'),
      gtin: first('gtin'),
    };
    const isPriced = best !== null && (best.points >= 3 || fields.sku !== undefined);
    return {
      fields,
      isShop: (best !== null && buy !== null) || isPriced,
      isSoldOut: state?.value === 'OutOfStock',
    };
  }

  private readElement(element: Element, marks: string): void {
    const { attribs, name } = element;
    const text = shortText(element);
    if (text === '') {
      if (name === 'input' && BUYS.test(attribs.value ?? '')) this.meetBuy(element);
      return;
    }
    const money = moneyOf(text);
    if (money !== undefined) return this.meetPrice(element, money, marks);
    if (BUYS.test(text)) return this.meetBuy(element);
    const state = shownAvailability(text);
    if (state === 'InStock' || state === 'OutOfStock')
      this.states.push({ at: this.seen, found: { value: state, path: selectorOf(element) } });
    this.readLabels(element, text);
  }

  private meetBuy(element: Element): void {
    this.buyAt ??= { at: this.seen, path: selectorOf(element) };
  }

  private meetPrice(element: Element, money: Money, marks: string): void {
    const around = marksAround(element, marks);
    const isOld =
      this.crossed > 0 || OLD_MARK.test(around) || /line-through/.test(element.attribs.style ?? '');
    let points = PRICE_MARK.test(around) ? 3 : 0;
    if (NOW_MARK.test(around)) points += 1;
    if (isOld) points -= 5;
    if (SIDE_MARK.test(around)) points -= 3;
    if (money.currency !== undefined) points += 0.5;
    this.prices.push({ element, money, at: this.seen, points, isOld });
  }

  private readLabels(element: Element, text: string): void {
    if (text.length > 90) return;
    const read = (
      field: 'sku' | 'mpn' | 'gtin' | 'brand',
      label: RegExp,
      valueOf: (text: string) => string | undefined,
    ): boolean => {
      const match = label.exec(text);
      if (match === null) return false;
      const rest = text.slice(match[0].length).trim();
      const value = valueOf(rest === '' ? nextText(element) : rest);
      if (value === undefined) return false;
      this.ids.push({ at: this.seen, field, found: { value, path: selectorOf(element) } });
      return true;
    };
    const id = (rest: string): string | undefined => {
      const word = rest.split(/\s/)[0] ?? '';
      return /\d/.test(word) ? ID.exec(word)?.[1] : undefined;
    };
    if (read('gtin', GTIN_LABEL, gtinIn) || read('mpn', MPN_LABEL, id)) return;
    if (read('sku', ID_LABEL, id)) return;
    read('brand', BRAND_LABEL, (rest) => (rest.length > 1 && rest.length < 40 ? rest : undefined));
  }

  private isNear(at: number, times = 1): boolean {
    if (this.headingAt < 0) return true;
    return at - this.headingAt <= NEAR * times && this.headingAt - at <= NEAR_BEFORE;
  }

  /** The best marked price near the heading; among equals the first. */
  private bestPrice(): PriceMark | null {
    let [best, most] = [null as PriceMark | null, -Infinity];
    for (const price of this.prices) {
      if (price.isOld || !this.isNear(price.at)) continue;
      const distance = this.headingAt < 0 ? price.at : price.at - this.headingAt;
      const points = price.points - Math.abs(distance) / 150 - (distance < 0 ? 1.5 : 0);
      if (points > most) [best, most] = [price, points];
    }
    return best;
  }

  private listPrice(best: PriceMark): PriceMark | null {
    const isBeside = ({ at }: PriceMark): boolean => Math.abs(at - best.at) < 40;
    return (
      this.prices.find(
        (price) => price.isOld && isBeside(price) && price.money.amount > best.money.amount,
      ) ?? null
    );
  }
}

const amountAt = ({ money, element }: PriceMark): Found<number> => ({
  value: money.amount,
  path: selectorOf(element),
});

const isCrossedOut = (name: string): boolean => name === 'del' || name === 's' || name === 'strike';

function marksAround(element: Element, marks: string): string {
  let all = `${marks} ${element.attribs['data-testid'] ?? ''} ${element.attribs['aria-label'] ?? ''}`;
  let at = element.parent;
  for (let up = 0; up < 3 && at instanceof Element; up++, at = at.parent)
    all += ` ${at.attribs.class ?? ''} ${at.attribs.id ?? ''}`;
  return all.slice(0, 600);
}

/** The whole text of a small element; empty for a large one. Cents in an element of their own get their mark. */
function shortText(element: Element): string {
  let text = '';
  let nodes = 0;
  const stack = element.children.slice(0, MAX_NODES_INSIDE).reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (++nodes > MAX_NODES_INSIDE || text.length > MAX_TEXT_CHARS) return '';
    if (isText(node)) {
      const part = node.data;
      const isCents =
        /^\s*\d{2}\s*(?:[€$£]|$)/.test(part) && /\d\s*$/.test(text) && !/[.,]\d{2}\s*$/.test(text);
      text += isCents ? `.${part.trim()}` : `${text === '' ? '' : ' '}${part}`;
    } else if (isTag(node) && node.name !== 'script' && node.name !== 'style') {
      stack.push(...node.children.slice(0, MAX_NODES_INSIDE).reverse());
    }
  }
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ([.,]) ?(?=\d)/g, '$1')
    .trim();
}

/** Of what follows a label: its value, where another cell or element holds it. */
function nextText(element: Element): string {
  let next = element.next;
  for (let steps = 0; next !== null && steps < 4; steps++, next = next.next) {
    if (isText(next) && next.data.trim() !== '') return next.data.trim();
    if (isTag(next)) return shortText(next);
  }
  return '';
}
