import type { SearchPeriod } from '../search-task.js';

/** Values that the templates of backends may use. A null value drops its parameter or field. */
export type SearchValues = {
  readonly query: string;
  readonly key: string;
  /** Results wanted of one page. */
  readonly count: number;
  /** From 1. */
  readonly page: number;
  /** From 0. */
  readonly pageIndex: number;
  /** Results before this page. */
  readonly offset: number;
  /** Lower case. */
  readonly country: string;
  readonly countryUpper: string;
  /** Language of the country, such as `en`; null where none is known. */
  readonly language: string | null;
  /** The backend's word for the period; null without one. */
  readonly time: string | null;
};

const KNOWN: readonly string[] = [
  'query',
  'key',
  'count',
  'page',
  'pageIndex',
  'offset',
  'country',
  'countryUpper',
  'language',
  'time',
] satisfies (keyof SearchValues)[];

export const SEARCH_PLACEHOLDERS = { known: KNOWN, inPath: ['query'] } as const;

/** The backend's words for periods; null: it has none, and periods are left out. */
export type PeriodWords = Readonly<Record<SearchPeriod, string>>;
