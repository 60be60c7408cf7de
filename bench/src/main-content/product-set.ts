import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractPage, type Product } from '@app/content';
import { type SetPart } from './label-sets.js';

const FIELDS = ['price', 'sku', 'availability', 'brand', 'gtin', 'mpn'] as const;
type ScoredField = (typeof FIELDS)[number];

/** Values that count as right, by field. */
type ProductLabel = Readonly<Record<ScoredField, readonly string[]>>;

interface LabelledProduct {
  readonly url: string;
  readonly html: Uint8Array;
  readonly label: ProductLabel;
}

/**
 * The public product extraction benchmark: `ground-truth.json` with values by page, `html/<id>.html.gz`. Entries of
 * even index are for tuning.
 */
export async function readProducts(
  dir: string,
  part: SetPart,
): Promise<readonly LabelledProduct[]> {
  const truth: unknown = JSON.parse(await readFile(path.join(dir, 'ground-truth.json'), 'utf8'));
  if (typeof truth !== 'object' || truth === null) throw new Error('--data: no labels by id');
  const wanted = Object.entries(truth).filter((_, at) => at % 2 === (part === 'tuned' ? 0 : 1));
  return Promise.all(
    wanted.map(async ([id, values]: [string, Readonly<Record<string, unknown>>]) => ({
      url: String(values.url),
      html: gunzipSync(await readFile(path.join(dir, 'html', `${id}.html.gz`))),
      label: labelOf(values),
    })),
  );
}

function labelOf(values: Readonly<Record<string, unknown>>): ProductLabel {
  const textsOf = (name: ScoredField): readonly string[] => {
    const value = values[name];
    return Array.isArray(value) ? value.map((one) => normal(name, String(one))) : [];
  };
  return {
    price: textsOf('price'),
    sku: textsOf('sku'),
    availability: textsOf('availability'),
    brand: textsOf('brand'),
    gtin: textsOf('gtin'),
    mpn: textsOf('mpn'),
  };
}

/** Prices compare as numbers, brands without case. */
function normal(field: ScoredField, value: string): string {
  if (field === 'price') return String(Number(value));
  return field === 'brand' ? value.trim().toLowerCase() : value.trim();
}

/** F1 of each field, as the benchmark has it: a wrong value is a false one and a missing one. */
export function productLines(pages: readonly LabelledProduct[]): readonly string[] {
  const found = pages.map(({ html, url, label }) => ({ label, product: productOf(html, url) }));
  return FIELDS.map((field) => {
    let [right, wrong, missing] = [0, 0, 0];
    for (const { label, product } of found) {
      const value = valueOf(product, field);
      const isRight = value !== null && label[field].includes(value);
      if (isRight) right++;
      else if (value !== null) wrong++;
      if (!isRight && label[field].length > 0) missing++;
    }
    const precision = right / Math.max(1, right + wrong);
    const recall = right / Math.max(1, right + missing);
    const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    const figures = [f1, precision, recall].map((one) => one.toFixed(3));
    return `  ${field.padEnd(14)} F1 ${figures[0]}  precision ${figures[1]}  recall ${figures[2]}`;
  });
}

function productOf(body: Uint8Array, url: string): Product | null {
  const input = { body, contentType: 'text/html; charset=utf-8', url };
  const page = extractPage(input, { markdown: false, links: false, rawHtml: false, product: true });
  return page.product ?? null;
}

/** What is not said to be sold out counts as in stock. */
function valueOf(product: Product | null, field: ScoredField): string | null {
  const value = product?.[field];
  if (field === 'availability')
    return value === 'OutOfStock' || value === 'Discontinued' ? 'OutOfStock' : 'InStock';
  return value === undefined ? null : normal(field, String(value));
}
