import { below, isObject, type JsonObject } from '../json-value.js';
import { MAX_QUOTES } from '../../limits.js';
import { findDates } from './date-forms.js';
import { numberOf } from './number-forms.js';
import { digitsOf, PageText, wordsOf, type Span } from './page-text.js';

export interface Grounded {
  readonly value: unknown;
  /** By JSON pointer, for values that are in the page word for word. */
  readonly quotes: Readonly<Record<string, { readonly quote: string }>>;
  /** JSON pointers, in the model's answer, of what the page does not say and was left out. */
  readonly dropped: readonly string[];
}

/** A model's hint where a value is: JSON pointer to words of the page. */
export type Hints = ReadonlyMap<string, string>;

/**
 * Leaves of a model's answer only what the page says.
 *
 * A text or number is kept when the page says it:
 * - word for word, whatever the case, white space and punctuation;
 * - an address when the page links to it, is there, or shows it; a phone number by its digits;
 * - a number in any usual way of writing it (`findNumbers`), a day likewise (`findDates`), with its
 *   time of day when it has one; a currency's code by its sign or name;
 * - a text put together of words close to each other (an address of several lines), or
 *   of sentences that each do: kept, without a quote.
 * What is not said becomes null; in a list it is taken out, and an object of which nothing is left
 * with it, as is a field that the schema does not declare.
 *
 * true, false, and values that the schema lists (`enum`, `const`) are judgments about the page and
 * are kept; so is what the schema marks `"x-derived": true`. They have a quote only when the model
 * named words that the page says.
 */
export function groundValue(
  value: unknown,
  {
    schema,
    page,
    hints,
  }: { readonly schema: unknown; readonly page: PageText; readonly hints: Hints },
): Grounded {
  const grounding = new Grounding(page, hints);
  const kept = grounding.walk(value, alternatives([schema]), '', '');
  return {
    value: kept ?? null,
    quotes: Object.fromEntries(grounding.quotes),
    dropped: grounding.dropped,
  };
}

class Grounding {
  readonly quotes = new Map<string, { readonly quote: string }>();
  readonly dropped: string[] = [];

  constructor(
    private readonly page: PageText,
    private readonly hints: Hints,
  ) {}

  /**
   * What is left of a value; undefined: nothing. As deep as the answer, which is bounded.
   * @param from pointer in the answer, @param to pointer in what is kept
   */
  walk(value: unknown, schemas: readonly JsonObject[], from: string, to: string): unknown {
    if (value === null || value === undefined) return undefined;
    if (Array.isArray(value)) return this.walkList(value, schemas, from, to);
    if (isObject(value)) return this.walkObject(value, schemas, from, to);
    if (isJudgment(value, schemas)) return this.keep(value, this.hinted(from), to);
    const label = labelOf(from);
    const found =
      typeof value === 'number'
        ? this.page.findNumber(value, label)
        : this.findText(String(value), label);
    if (found !== null) return this.keep(value, found === 'scattered' ? null : found, to);
    this.dropped.push(from);
    return undefined;
  }

  private walkList(
    list: readonly unknown[],
    schemas: readonly JsonObject[],
    from: string,
    to: string,
  ): readonly unknown[] | undefined {
    const isTuple = schemas.some((schema) => Array.isArray(schema['prefixItems']));
    const kept: unknown[] = [];
    list.forEach((one, index) => {
      const inner = this.walk(
        one,
        itemSchemas(schemas, index),
        below(from, index),
        below(to, kept.length),
      );
      // Places of a tuple keep their meaning.
      if (inner !== undefined) kept.push(inner);
      else if (isTuple) kept.push(null);
    });
    return kept.length === 0 && list.length > 0 ? undefined : kept;
  }

  private walkObject(
    object: JsonObject,
    schemas: readonly JsonObject[],
    from: string,
    to: string,
  ): JsonObject | undefined {
    const entries = Object.entries(object);
    let said = 0;
    const kept = entries.flatMap(([name, one]): (readonly [string, unknown])[] => {
      const inner = this.walk(
        one,
        memberSchemas(schemas, name),
        below(from, name),
        below(to, name),
      );
      if (inner !== undefined) said++;
      if (inner !== undefined) return [[name, inner]];
      return isDeclared(schemas, name) ? [[name, null]] : [];
    });
    // The whole answer keeps its form even when the page says nothing of it.
    return said === 0 && entries.length > 0 && to !== '' ? undefined : Object.fromEntries(kept);
  }

  private keep<T>(value: T, at: Span | null, to: string): T {
    if (at !== null && this.quotes.size < MAX_QUOTES) {
      const quote = this.page.quoteAt(at);
      if (quote !== '') this.quotes.set(to, { quote });
    }
    return value;
  }

  private hinted(from: string): Span | null {
    const hint = this.hints.get(from);
    return hint === undefined ? null : this.page.findPhrase(wordsOf(hint));
  }

  private findText(text: string, label: string): Span | 'scattered' | null {
    const words = wordsOf(text);
    if (words.length === 0) return this.page.findExact(text.trim());
    // As words, its digits would also be found within a greater number.
    if (/^\d{1,15}$/.test(text.trim())) return this.findWritten(text, label);
    return (
      this.page.findPhrase(words, label) ??
      this.findWritten(text, label) ??
      (this.isPutTogether(text, words) ? 'scattered' : null)
    );
  }

  /** The same thing written in another way. */
  private findWritten(text: string, label: string): Span | null {
    const number = numberOf(text);
    return (
      this.findCurrency(text) ??
      (isAddress(text) ? this.page.findLink(text) : null) ??
      (isEmail(text) ? this.page.findLink(`mailto:${text.trim()}`) : null) ??
      (isPhone(text) ? this.page.findPhone(digitsOf(text)) : null) ??
      (number === null ? this.findMoment(text) : this.page.findNumber(number, label))
    );
  }

  private findCurrency(code: string): Span | null {
    for (const spelling of currencySpellings(code)) {
      const words = wordsOf(spelling);
      const isSign = /[^\p{L}\p{M}]/u.test(spelling);
      const found = isSign ? this.page.findExact(spelling) : this.page.findPhrase(words);
      if (found !== null) return found;
    }
    return null;
  }

  private findMoment(text: string): Span | null {
    if (text.length > MAX_MOMENT_CHARS) return null;
    const clock = /T(\d{2}):(\d{2})/.exec(text);
    if (clock !== null && !this.saysClock(Number(clock[1]), Number(clock[2]))) return null;
    // Day and month are clear only with the year first, as ISO 8601 has it.
    const [day, ...others] = findDates(text);
    if (day === undefined || day.year === null || others.length > 0) return null;
    return this.page.findDay({ ...day, year: day.year });
  }

  private saysClock(hours: number, minutes: number): boolean {
    // Midnight is what a model fills in when the page names a day alone.
    if (hours === 0 && minutes === 0) return true;
    const twelve = ((hours + 11) % 12) + 1;
    const two = String(minutes).padStart(2, '0');
    const suffixes = hours < 12 ? ['am', 'a m'] : ['pm', 'p m'];
    const spellings = [
      `${hours} ${two}`,
      `${String(hours).padStart(2, '0')} ${two}`,
      ...suffixes.flatMap((suffix) => [
        `${twelve} ${two} ${suffix}`,
        `${twelve} ${two}${suffix}`,
        ...(minutes === 0 ? [`${twelve} ${suffix}`, `${twelve}${suffix}`] : []),
      ]),
      ...(minutes === 0 ? [`${hours} uhr`, `${hours}h`] : [`${hours}h${two}`]),
    ];
    return spellings.some((spelling) => this.page.findPhrase(wordsOf(spelling)) !== null);
  }

  private isPutTogether(text: string, words: readonly string[]): boolean {
    if (this.page.hasNearby(words)) return true;
    const sentences = text.split(/(?<=[.!?…。！？])\s+|\n+/).map(wordsOf);
    const isSaid = (one: readonly string[]) =>
      one.length === 0 || this.page.findPhrase(one) !== null || this.page.hasNearby(one);
    return sentences.length > 1 && sentences.every(isSaid);
  }
}

/** Name of the field that a pointer leads to or into. */
function labelOf(pointer: string): string {
  const names = pointer.split('/').filter((token) => token !== '' && !/^\d+$/.test(token));
  return names.at(-1) ?? '';
}

const MAX_MOMENT_CHARS = 40;

function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|\/|www\.)\S+$|^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/i.test(text.trim());
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}

function isPhone(text: string): boolean {
  return /^\+?[\d\s().\-/]{7,24}$/.test(text.trim()) && digitsOf(text).length >= 7;
}

/** A schema with the alternatives that it is put together from. */
function alternatives(schemas: readonly unknown[]): readonly JsonObject[] {
  const all: JsonObject[] = [];
  const open: unknown[] = [...schemas];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (!isObject(next)) continue;
    all.push(next);
    for (const word of ['anyOf', 'allOf', 'oneOf'] as const) {
      const list: unknown = next[word];
      if (Array.isArray(list)) open.push(...list);
    }
    open.push(...[next['then'], next['else']].filter(isObject));
  }
  return all;
}

function isJudgment(value: unknown, schemas: readonly JsonObject[]): boolean {
  if (typeof value === 'boolean') return true;
  return schemas.some(
    ({ enum: choices, const: only, 'x-derived': isDerived }) =>
      isDerived === true || only === value || (Array.isArray(choices) && choices.includes(value)),
  );
}

function isDeclared(schemas: readonly JsonObject[], name: string): boolean {
  return schemas.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
}

function memberSchemas(schemas: readonly JsonObject[], name: string): readonly JsonObject[] {
  return alternatives(
    schemas.flatMap(({ properties, additionalProperties }) =>
      isObject(properties) && Object.hasOwn(properties, name)
        ? [properties[name]]
        : [additionalProperties],
    ),
  );
}

function itemSchemas(schemas: readonly JsonObject[], index: number): readonly JsonObject[] {
  return alternatives(
    schemas.map(({ prefixItems, items }) =>
      Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items,
    ),
  );
}

/**
 * How pages write the currencies that schemas name by their ISO 4217 codes. A sign that several use
 * means its usual one where nothing else is said: `$` is the US dollar.
 */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  AUD: ['A$', 'AU$', 'Australian dollar'],
  BRL: ['R$', 'real', 'reais'],
  CAD: ['C$', 'CA$', 'Canadian dollar'],
  CHF: ['Fr.', 'SFr', 'Swiss franc', 'Franken'],
  CNY: ['¥', '￥', '元', 'RMB', 'yuan'],
  CZK: ['Kč'],
  DKK: ['kr'],
  EUR: ['€', 'euro', 'euros'],
  GBP: ['£', 'pound', 'pounds'],
  HKD: ['HK$'],
  HUF: ['Ft'],
  ILS: ['₪'],
  INR: ['₹', 'Rs', 'rupee', 'rupees'],
  JPY: ['¥', '￥', '円', 'yen'],
  KRW: ['₩', '원', 'won'],
  MXN: ['MX$', 'Mex$'],
  NGN: ['₦'],
  NOK: ['kr'],
  NZD: ['NZ$'],
  PHP: ['₱'],
  PLN: ['zł', 'złoty', 'zloty'],
  RUB: ['₽', 'руб', 'рублей'],
  SEK: ['kr'],
  SGD: ['S$'],
  THB: ['฿', 'baht'],
  TRY: ['₺', 'TL'],
  TWD: ['NT$'],
  UAH: ['₴', 'грн'],
  USD: ['$', 'US$', 'dollar', 'dollars'],
  VND: ['₫'],
  ZAR: ['rand'],
};

/** Signs and words that say the currency with this code; none when the text is no code. */
function currencySpellings(code: string): readonly string[] {
  const text = code.trim().toUpperCase();
  return (Object.hasOwn(WRITTEN, text) ? WRITTEN[text] : undefined) ?? [];
}
