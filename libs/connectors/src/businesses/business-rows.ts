import type { OpeningHours } from '@app/contracts';
import type { Business } from './business.js';
import type { ScraperName } from './business-task.js';

/** Row of the maps scraper (specification: Listing-scraper rows). */
export interface MapsRow {
  readonly name: string;
  readonly address?: string;
  readonly phone?: string;
  readonly rating?: number;
  readonly review_count?: number;
  readonly category?: string;
  readonly hours?: OpeningHours;
  readonly website?: string;
  readonly maps_url?: string;
}

/** Row of the reviews scraper. */
export interface ReviewsRow {
  readonly name: string;
  readonly address?: string;
  readonly phone?: string;
  readonly rating?: number;
  readonly review_count?: number;
  readonly price_range?: string;
  readonly categories?: readonly string[];
  readonly is_open_now?: boolean;
  readonly reviews_url?: string;
}

/** Row of the listings scraper. */
export interface ListingsRow {
  readonly name: string;
  readonly address?: string;
  readonly phone?: string;
  readonly rating?: number;
  readonly review_count?: number;
  readonly category?: string;
  readonly website?: string;
  readonly directory_url?: string;
}

export type BusinessRow = MapsRow | ReviewsRow | ListingsRow;

/** A business in the wire form of a scraper: only what its source states. */
export function businessRow(scraper: ScraperName, business: Business): BusinessRow {
  const { name, address, phone, rating, reviewCount, page } = business;
  const { categories, priceRange, hours, isOpenNow, website } = business;
  const base = { name, address, phone, rating, review_count: reviewCount };
  const [category] = categories ?? [];
  switch (scraper) {
    case 'maps':
      return stated({ ...base, category, hours, website, maps_url: page });
    case 'reviews': {
      const about = { price_range: priceRange, categories, is_open_now: isOpenNow };
      return stated({ ...base, ...about, reviews_url: page });
    }
    case 'listings':
      return stated({ ...base, category, website, directory_url: page });
  }
}

type Stated<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function stated<T extends { readonly name: string }>(row: T): Stated<T> {
  const fields = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as Stated<T>;
}
