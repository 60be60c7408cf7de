import { type Product } from './product-values.js';

type Availability = NonNullable<Product['availability']>;

/** Values of schema.org, by what markup and shops write for them. */
const STATES: readonly (readonly [RegExp, Availability])[] = [
  [/out[\s_-]?of[\s_-]?stock|sold[\s_-]?out|oos$/, 'OutOfStock'],
  [/discontinued/, 'Discontinued'],
  [/pre[\s_-]?(?:order|sale)/, 'PreOrder'],
  [/back[\s_-]?order/, 'BackOrder'],
  [/made[\s_-]?to[\s_-]?order/, 'MadeToOrder'],
  [/limited[\s_-]?availability/, 'LimitedAvailability'],
  [/(?:instore|online)[\s_-]?only|in[\s_-]?stock|^(?:instock|available|true|1|yes)$/, 'InStock'],
  [/^(?:unavailable|not available|false|no)$/, 'OutOfStock'],
];

/** The state that a value of `availability` names; undefined of what names none. */
export function availabilityOf(text: string): Availability | undefined {
  const value = text.trim().toLowerCase().slice(0, 100);
  return STATES.find(([form]) => form.test(value))?.[1];
}

/** Short texts of shops, in the main languages. */
const NOT_SOLD =
  /^\W*(?:(?:this |the )?(?:item|product|article)? ?(?:is |are )?(?:currently |temporarily |now )?(?:out of stock|sold out|unavailable|not available|no longer available)|(?:derzeit |momentan |aktuell )?(?:nicht (?:verfügbar|auf lager|lieferbar|vorrätig)|ausverkauft|vergriffen)|(?:actuellement |temporairement )?(?:indisponible|épuisé|en rupture(?: de stock)?|rupture de stock)|agotado|sin (?:stock|existencias)|no disponible(?: temporalmente)?|esgotado|indisponível|esaurito|non disponibile|(?:attualmente )?non disponibile|uitverkocht|niet (?:op voorraad|leverbaar)|slutsåld|udsolgt|utsolgt|loppuunmyyty|wyprzedan[ye]|niedostępny|brak w magazynie|vyprodáno|nedostupné|нет в наличии|品切れ|在庫切れ|売り切れ|缺貨|補貨中|已售完|품절)(?:[\s.!,–-].{0,60})?$/i;
const SOLD =
  /^\W*(?:in stock|available|only \d+ left.*|auf lager|sofort lieferbar|lieferbar|en stock|disponible|disponibile|disponibilità immediata|em stock|op voorraad|på lager|i lager|varastossa|dostępny|na stanie|skladem|na sklade|în stoc|в наличии|在庫あり)(?:[\s.!,:–-].{0,60})?$/i;

export function shownAvailability(text: string): Availability | undefined {
  if (NOT_SOLD.test(text)) return 'OutOfStock';
  return SOLD.test(text) ? 'InStock' : undefined;
}

/** On buttons that put a product into a cart. */
export const BUYS =
  /^\W*(?:add (?:\d+ )?to (?:cart|bag|basket|trolley)|add item|buy(?: it)? now|buy|order now|purchase|in den (?:einkaufs)?(?:wagen|warenkorb)(?: legen)?|jetzt kaufen|ajouter au panier|acheter(?: maintenant)?|añadir (?:al carrito|a la cesta)|agregar al carro|comprar(?: ahora| agora)?|adicionar ao carrinho|aggiungi al carrello|acquista(?: ora)?|in winkelwagen|bestellen|lägg i (?:varukorg|kundvagn)|læg i kurv|lisää ostoskoriin|lisa ostukorvi|do koszyka|dodaj do koszyka|kup teraz|do košíka|vložiť do košíka|kúpiť|přidat do košíku|adaug[aă] [iî]n co[sș]|dodaj v košarico|dodaj u košaricu|в корзину|купить|カートに入れる|加入購物車|放入購物車|立即購買|장바구니|구매하기|sepete ekle)\W*$/i;
