import type { Business } from './business.js';

/** A name without case, accents, signs and legal forms, for comparison. */
function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/\b(?:inc|llc|ltd|gmbh|corp|co)\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What makes two rows the same business: the source's page about it, else its name with phone or address. */
export function businessKey({ name, page, phone, address }: Business): string {
  if (page !== undefined) return `page ${page.replace(/^https?:\/\/(?:www\.)?/, '')}`;
  const place = phone?.replace(/\D/g, '').slice(-10) ?? nameKey(address ?? '');
  return `name ${nameKey(name)} ${place}`;
}

/** Most businesses of one search, whatever its source sends. */
const MAX_BUSINESSES = 5_000;

/** Businesses over all pages of a source, each once, in its order. Pages are taken whole. */
export class MergedBusinesses {
  private readonly byKey = new Map<string, Business>();

  constructor(private readonly wanted: number) {}

  get all(): readonly Business[] {
    return [...this.byKey.values()];
  }

  get isEnough(): boolean {
    return this.byKey.size >= Math.min(this.wanted, MAX_BUSINESSES);
  }

  /** Returns how many are new. */
  add(found: readonly Business[]): number {
    const before = this.byKey.size;
    for (const one of found) {
      if (this.byKey.size >= MAX_BUSINESSES) break;
      const key = businessKey(one);
      if (!this.byKey.has(key)) this.byKey.set(key, one);
    }
    return this.byKey.size - before;
  }
}
