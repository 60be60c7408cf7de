import {
  MergedBusinesses,
  type Business,
  type SourceAnswerPage,
  type SourceKind,
} from '@app/connectors';
import type { Plan } from '@app/contracts';
import type {
  BackendResult,
  BackendTerms,
  ReadResultPage,
  SearchBackend,
} from '../search/search-backend.js';

/** A search for businesses as sources get it. */
export interface BusinessQuery {
  readonly query: string;
  /** Null: anywhere. */
  readonly location: string | null;
  /** Businesses that are wanted; a source may have more, since it is read by whole pages. */
  readonly limit: number;
  /** Page to begin with, from 1. */
  readonly page: number;
  /** Tenants take turns in the threads that read pages. */
  readonly tenantId: string;
  readonly plan: Plan;
}

/** Where a search scraper finds businesses. Failures are values; rejects only when its signal is aborted. */
export interface BusinessSource extends SearchBackend<string, BusinessQuery, Business> {
  readonly kind: SourceKind;
  /** Credit that the licence of its data requires; null: none. */
  readonly attribution: string | null;
  /** What one search costs the operator. */
  readonly costMicroUsd: number;
}

/** Reads a page of a source off the event loop. */
export type ReadBusinessPage = ReadResultPage<SourceAnswerPage, Business>;

/** Pages that one search reads of a source: each is a request that the operator may pay. */
const MAX_PAGES = 10;

/**
 * Reads page after page until there are as many businesses as wanted, or a page adds none. A later page that fails leaves
 * the businesses before it, and is the next one.
 */
export async function readBusinessPages(
  { limit, page: first }: BusinessQuery,
  { deadline, signal }: BackendTerms,
  readPage: (page: number) => Promise<BackendResult<Business>>,
): Promise<BackendResult<Business>> {
  const merged = new MergedBusinesses(limit);
  let page = first;
  for (; page < first + MAX_PAGES && !merged.isEnough; page++) {
    if (page > first && deadline.isPassed) break;
    const read = await readPage(page);
    signal.throwIfAborted();
    if (!read.ok && merged.all.length === 0) return read;
    if (!read.ok) break;
    if (merged.add(read.results) === 0) return { ok: true, results: merged.all, next: null };
  }
  return { ok: true, results: merged.all, next: page };
}
