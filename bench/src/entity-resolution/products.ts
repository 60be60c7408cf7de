import { type Agreement, fieldRule, foldText, type MatchTable, scoreByTable } from '@app/graph';
import type { LabelledSet, RowPair, LabelledRow } from './labelled-set.js';
import type { SetMatcher } from './matched-set.js';

interface Product {
  /** Words of the title with their weights, the sum of whose squares is 1. */
  readonly title: ReadonlyMap<string, number>;
  /** Those of title, description and maker. */
  readonly text: ReadonlyMap<string, number>;
  /** Words with digits and letters: `ezxs88w`. */
  readonly models: ReadonlySet<string>;
  readonly price: number | undefined;
}

const WORD = /[a-z\d]+/g;
const wordsOf = (text: string): readonly string[] => foldText(text).match(WORD) ?? [];
const isModel = (word: string): boolean =>
  word.length >= 4 && /\d/.test(word) && (/[a-z]/.test(word) || word.length >= 5);

/** How much each word says: the logarithm of the share of rows without it. */
class WordRarity {
  private readonly counts = new Map<string, number>();

  constructor(private readonly texts: readonly (readonly string[])[]) {
    for (const words of texts)
      for (const word of new Set(words)) this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
  }

  vector(words: readonly string[]): ReadonlyMap<string, number> {
    const weights = new Map(
      [...new Set(words)].map((word) => [
        word,
        Math.log(this.texts.length / (this.counts.get(word) ?? 1)),
      ]),
    );
    const length = Math.hypot(...weights.values()) || 1;
    return new Map([...weights].map(([word, weight]) => [word, weight / length]));
  }
}

const titleOf = (row: LabelledRow): string => row['name'] ?? row['title'] ?? '';
const textOf = (row: LabelledRow): string =>
  [titleOf(row), (row['description'] ?? '').slice(0, 300), row['manufacturer'] ?? ''].join(' ');

function productsOf(rows: readonly LabelledRow[]): readonly Product[] {
  const titles = new WordRarity(rows.map((row) => wordsOf(titleOf(row))));
  const texts = new WordRarity(rows.map((row) => wordsOf(textOf(row))));
  return rows.map((row) => ({
    title: titles.vector(wordsOf(titleOf(row))),
    text: texts.vector(wordsOf(textOf(row))),
    models: new Set(wordsOf(textOf(row)).filter(isModel)),
    price: Number(/\d+(?:\.\d+)?/.exec(row['price'] ?? '')?.[0]) || undefined,
  }));
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [word, weight] of a.size < b.size ? a : b)
    sum += weight * ((a.size < b.size ? b : a).get(word) ?? 0);
  return sum;
}

type Likeness = 'high' | 'good' | 'some' | 'low' | 'none';

function likeness(similarity: number): Likeness {
  if (similarity >= 0.7) return 'high';
  if (similarity >= 0.5) return 'good';
  if (similarity >= 0.35) return 'some';
  return similarity >= 0.2 ? 'low' : 'none';
}

/** Likeness as a level, and within the level by how much: that ranks partners. */
const textRule = (field: 'title' | 'text') =>
  fieldRule<Product, unknown, Likeness>({
    field,
    weights: { high: 7, good: 5, some: 3, low: 0, none: -5 },
    compare: (a, b): Agreement<Likeness> => {
      const similarity = cosine(a[field], b[field]);
      return { level: likeness(similarity), shift: similarity };
    },
  });

/** Not tuned: products are not what the table of businesses is for. */
const PRODUCTS: MatchTable<Product, unknown> = {
  threshold: 4,
  fields: [
    textRule('title'),
    textRule('text'),
    fieldRule<Product, unknown, 'same' | 'different'>({
      field: 'model',
      weights: { same: 7, different: -3 },
      compare: (a, b) => {
        if (a.models.size === 0 || b.models.size === 0) return undefined;
        return { level: [...a.models].some((model) => b.models.has(model)) ? 'same' : 'different' };
      },
    }),
    fieldRule<Product, unknown, 'near' | 'apart' | 'far'>({
      field: 'price',
      weights: { near: 2, apart: 0, far: -2 },
      compare: (a, b) => {
        if (a.price === undefined || b.price === undefined) return undefined;
        const ratio = Math.max(a.price, b.price) / Math.min(a.price, b.price);
        return { level: ratio <= 1.2 ? 'near' : ratio <= 2 ? 'apart' : 'far' };
      },
    }),
  ],
};

/** Partners that share a telling word, at most this many for each product. */
const MAX_PARTNERS = 20;

export function productMatcher({ rows, secondFrom = 0 }: LabelledSet): SetMatcher {
  const products = productsOf(rows);
  return {
    candidates: candidatesOf(products, secondFrom),
    isOneToOne: true,
    score: ([one, other]) => {
      const [a, b] = [products[one], products[other]];
      if (a === undefined || b === undefined) throw new Error(`no row ${one} or ${other}`);
      return scoreByTable(PRODUCTS, [a, b], undefined);
    },
  };
}

function candidatesOf(products: readonly Product[], secondFrom: number): readonly RowPair[] {
  const byWord = new Map<string, number[]>();
  for (const [at, { text }] of products.entries()) {
    if (at < secondFrom) continue;
    for (const word of text.keys()) byWord.set(word, [...(byWord.get(word) ?? []), at]);
  }
  return products.slice(0, secondFrom).flatMap(({ text }, one) => {
    const sums = new Map<number, number>();
    for (const [word, weight] of text)
      for (const other of byWord.get(word) ?? [])
        sums.set(other, (sums.get(other) ?? 0) + weight * (products[other]?.text.get(word) ?? 0));
    const best = [...sums].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_PARTNERS);
    return best.map(([other]): RowPair => [one, other]);
  });
}
