import { run, sqlState, type Database, type Statement } from '@app/database';
import type { SegmentRange } from '../frontier/page-outcome.js';

/** Matches that are counted and ranked; more would take seconds. */
export const MAX_RANKED_PAGES = 10_000;
const SEARCH_TIMEOUT_MS = 5_000;

/** Control characters that no indexed text contains: the marks of a snippet cannot be forged by a page. */
const START = '\u0002';
const END = '\u0003';

/**
 * The snippet is made of a part of the text: `ts_headline` takes seconds for a long one. The part begins with the line
 * that has most of the words, by the beginning of each, and among equals with the first that is no mere title.
 */
const SEARCH: Statement = {
  name: 'search_pages',
  text: `
    SELECT m.total, m.has_more AS "hasMore", m.score, replace(m.url_key::text, '-', '') AS "urlKey", t.url, t.title,
           p.result_no AS "resultNo", s.snippet,
           p.segment_key AS key, p.segment_offset AS "offset", p.segment_bytes AS bytes
    FROM search_page_texts($1, $2, $3, $4, $5, $6) m
    LEFT JOIN page_texts t
      ON t.job_id = $1 AND t.language = m.language AND t.url_key = m.url_key AND t.fence = m.fence
    LEFT JOIN pages p ON p.job_id = $1 AND p.url_key = m.url_key
    LEFT JOIN LATERAL (
      WITH rules AS (
        SELECT ('pg_catalog.' || t.language)::regconfig AS name
      ), word AS (
        SELECT left(lexeme, greatest(3, length(lexeme) - 1)) AS start
        FROM rules, unnest(tsvector_to_array(to_tsvector(rules.name, $2))) AS lexeme LIMIT 10
      ), line AS (
        SELECT text, n, (SELECT count(*) FROM word WHERE strpos(lower(text), start) > 0) AS words
        FROM unnest(string_to_array(t.body, E'\\n')) WITH ORDINALITY AS l (text, n)
      ), best AS (
        SELECT n FROM line ORDER BY words DESC, length(text) < 60, n LIMIT 1
      ), part AS (
        SELECT left(string_agg(line.text, ' ' ORDER BY line.n), 2000) AS text
        FROM line, best WHERE line.n >= best.n AND line.n < best.n + 15
      )
      SELECT ts_headline(rules.name, part.text, websearch_to_tsquery(rules.name, $2),
        'MaxFragments=1, MinWords=20, MaxWords=45, StartSel=${START}, StopSel=${END}') AS snippet
      FROM rules, part
    ) s ON true
    ORDER BY m.score DESC, m.url_key`,
};

/** A place in the order of the matches. */
export interface SearchPlace {
  readonly score: number;
  /** 32 hexadecimal digits. */
  readonly urlKey: string;
}

export interface PageSearch {
  readonly jobId: string;
  readonly query: string;
  readonly limit: number;
  /** Null: from the best match on. */
  readonly after: SearchPlace | null;
}

export interface MatchedPage extends SearchPlace {
  readonly url: string;
  readonly title: string;
  /** Its place among the page results. */
  readonly resultNo: number;
  /** Plain text. */
  readonly snippet: string;
  /** Start and end of the matches in the snippet, in UTF-16 units. */
  readonly highlights: readonly (readonly [number, number])[];
  /** Where its document lies. */
  readonly stored: SegmentRange;
}

export interface FoundPages {
  /** Matches, up to {@link MAX_RANKED_PAGES}. */
  readonly total: number;
  readonly pages: readonly MatchedPage[];
  readonly hasMore: boolean;
}

interface Row extends SegmentRange, Record<string, unknown> {
  readonly total: number;
  readonly hasMore: boolean;
  /** The others are null, too: nothing was found after that place. */
  readonly urlKey: string | null;
  readonly score: number;
  readonly url: string;
  readonly title: string;
  readonly resultNo: number;
  readonly snippet: string;
}

/** The search exceeded its time in the database. */
export class SearchTimeoutError extends Error {
  readonly seconds = SEARCH_TIMEOUT_MS / 1_000;

  constructor(options?: ErrorOptions) {
    super('The search took too long', options);
    this.name = 'SearchTimeoutError';
  }
}

/** query_canceled */
const CANCELED = '57014';

/**
 * Searches the stored pages of a job of the tenant that has a search index, best matches first.
 * @throws SearchTimeoutError
 */
export async function searchPages(
  database: Database,
  tenantId: string,
  { jobId, query, limit, after }: PageSearch,
): Promise<FoundPages> {
  const values = [
    jobId,
    query,
    MAX_RANKED_PAGES,
    limit,
    after?.score ?? null,
    after?.urlKey ?? null,
  ];
  const rows = await database
    .asTenant(tenantId)
    .transaction(async (tx) => {
      await tx.query(
        `SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${SEARCH_TIMEOUT_MS}`,
      );
      return run<Row>(tx, SEARCH, values);
    })
    .catch((cause: unknown) => {
      throw sqlState(cause) === CANCELED ? new SearchTimeoutError({ cause }) : cause;
    });
  const [first] = rows;
  return {
    total: first?.total ?? 0,
    hasMore: first?.hasMore ?? false,
    pages: rows.flatMap((row) => (row.urlKey === null ? [] : [matchedPage(row, row.urlKey)])),
  };
}

function matchedPage(row: Row, urlKey: string): MatchedPage {
  const { url, title, resultNo, score, snippet, key, offset, bytes } = row;
  const stored = { key, offset, bytes };
  return { urlKey, url, title, resultNo, score, stored, ...withoutMarks(snippet) };
}

const MARKS = new RegExp(`[${START}${END}]`);

function withoutMarks(marked: string): Pick<MatchedPage, 'snippet' | 'highlights'> {
  const highlights: [number, number][] = [];
  let snippet = '';
  // Marks alternate, so every other piece is a match.
  for (const [at, piece] of marked.split(MARKS).entries()) {
    if (at % 2 === 1) highlights.push([snippet.length, snippet.length + piece.length]);
    snippet += piece;
  }
  return { snippet, highlights };
}
