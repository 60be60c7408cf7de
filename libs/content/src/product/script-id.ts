import { type Document } from 'domhandler';
import { scriptText } from '../dom/script-element.js';
import { walk } from '../dom/walk.js';

/** Characters of scripts that are searched. */
const MAX_CHARS = 1_000_000;
const SKU =
  /["']?\b(?:sku|skuId|productSku|product_sku)\b\\?["']?\s?:\s?\\?["']([\w./-]{3,40}?)\\?["']/g;

/** The one identifier that the data in a page's scripts give; undefined of several. */
export function scriptId(document: Document): string | undefined {
  const found = new Set<string>();
  let chars = 0;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name !== 'script') return true;
      const text = scriptText(element).slice(0, Math.max(0, MAX_CHARS - chars));
      chars += text.length;
      if (!/sku/i.test(text)) return false;
      for (const [, id = ''] of text.matchAll(SKU)) if (/\d/.test(id)) found.add(id);
      return false;
    },
    isDone: () => found.size > 1 || chars >= MAX_CHARS,
  });
  return found.size === 1 ? [...found][0] : undefined;
}
