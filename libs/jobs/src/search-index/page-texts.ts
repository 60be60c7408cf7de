import type { FullText } from '@app/content';
import { run, sqlState, type Statement, type Transaction } from '@app/database';

/** The text of a claimed page that a search of its job will find. */
export interface IndexedText extends FullText {
  readonly urlKey: string;
  readonly fence: number;
  /** That of its page result. */
  readonly url: string;
}

/** Of an entry of the index, beside its word. */
const ENTRY_BYTES = 52;

/**
 * A row that is there already was written by an earlier try whose response was lost. No row is written for a job
 * that has ended: it may be deleted meanwhile.
 */
const INSERT: Statement = {
  name: 'insert_page_texts',
  text: `
    WITH page AS (
      SELECT t.*, CASE WHEN EXISTS (
          SELECT FROM pg_catalog.pg_ts_config c
          WHERE c.cfgname = t.wanted AND c.cfgnamespace = 'pg_catalog'::regnamespace)
        THEN t.wanted ELSE 'simple' END AS language
      FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        AS t (url_key, fence, wanted, url, title, headings, body)
      WHERE EXISTS (SELECT FROM jobs WHERE id = $1 AND status = 'running')
    ), configured AS (
      SELECT *, ('pg_catalog.' || language)::regconfig AS rules FROM page
    ), parsed AS MATERIALIZED (
      SELECT language, url_key, fence, url, title, body,
             array_to_tsvector(ARRAY[page_text_mark($1, language)]) || setweight(to_tsvector(rules, title), 'A')
               || setweight(to_tsvector(rules, headings), 'B') || to_tsvector(rules, body) AS terms
      FROM configured
    ), written AS (
      INSERT INTO page_texts (job_id, language, url_key, fence, url, title, body, terms)
      SELECT $1, language, url_key, fence, url, title, body, terms FROM parsed ORDER BY language, url_key
      ON CONFLICT DO NOTHING
      RETURNING language, url_key, fence
    )
    SELECT language, replace(url_key::text, '-', '') AS "urlKey", fence,
           octet_length(body) + 2 * pg_column_size(terms) + ${ENTRY_BYTES} * length(terms) AS bytes
    FROM written JOIN parsed USING (language, url_key, fence)`,
};
const DELETE: Statement = {
  name: 'delete_page_texts',
  text: `
    DELETE FROM page_texts t USING unnest($2::text[], $3::uuid[], $4::int[]) AS gone (language, url_key, fence)
    WHERE t.job_id = $1 AND t.language = gone.language AND t.url_key = gone.url_key AND t.fence = gone.fence`,
};

interface Written extends Record<string, unknown> {
  readonly language: string;
  readonly urlKey: string;
  readonly fence: number;
  /** With its entries in the index. */
  readonly bytes: number;
}

/** Rows of texts that this transaction wrote before it knew which of the pages count. */
export interface WrittenTexts {
  /** What the text of each page takes, by `urlKey`. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Pages that the database cannot index. */
  readonly unindexed: readonly string[];
  /** Deletes the rows of all pages but these. */
  keepOnly(counted: ReadonlySet<string>): Promise<void>;
}

/**
 * Writes the rows of a search index, at the start of the transaction that finishes their pages: PostgreSQL needs
 * milliseconds to read a text, for which no lock of the job should be held. A text that it refuses never fails its
 * page.
 */
export async function writePageTexts(
  tx: Transaction,
  jobId: string,
  texts: readonly IndexedText[],
): Promise<WrittenTexts> {
  const written: Written[] = [];
  const unindexed: string[] = [];
  if (texts.length > 0) {
    const together = await unlessRefused(tx, () => insert(tx, jobId, texts));
    if (together) written.push(...together);
    else
      for (const text of texts) {
        const alone = await unlessRefused(tx, () => insert(tx, jobId, [text]));
        if (alone) written.push(...alone);
        else unindexed.push(text.urlKey);
      }
  }
  return {
    bytes: new Map(written.map(({ urlKey, bytes }) => [urlKey, bytes])),
    unindexed,
    keepOnly: (counted) =>
      remove(
        tx,
        jobId,
        written.filter(({ urlKey }) => !counted.has(urlKey)),
      ),
  };
}

function insert(tx: Transaction, jobId: string, texts: readonly IndexedText[]): Promise<Written[]> {
  return run<Written>(tx, INSERT, [
    jobId,
    texts.map(({ urlKey }) => urlKey),
    texts.map(({ fence }) => fence),
    texts.map(({ language }) => textSearchConfiguration(language)),
    texts.map(({ url }) => url),
    texts.map(({ title }) => title),
    texts.map(({ headings }) => headings),
    texts.map(({ text }) => text),
  ]);
}

async function remove(tx: Transaction, jobId: string, rows: readonly Written[]): Promise<void> {
  if (rows.length === 0) return;
  await run(tx, DELETE, [
    jobId,
    rows.map(({ language }) => language),
    rows.map(({ urlKey }) => urlKey),
    rows.map(({ fence }) => fence),
  ]);
}

const INHERIT: Statement = {
  name: 'inherit_page_texts',
  text: `SELECT replace(url_key::text, '-', '') AS "urlKey", bytes FROM inherit_page_texts($1, $2::uuid[], $3::int[])`,
};

/** Copies the texts that the crawl before has of these pages. What the text of each takes, by `urlKey`. */
export async function inheritPageTexts(
  tx: Transaction,
  jobId: string,
  pages: readonly Pick<IndexedText, 'urlKey' | 'fence'>[],
): Promise<WrittenTexts['bytes']> {
  if (pages.length === 0) return new Map();
  const rows = await run<Pick<Written, 'urlKey' | 'bytes'>>(tx, INHERIT, [
    jobId,
    pages.map(({ urlKey }) => urlKey),
    pages.map(({ fence }) => fence),
  ]);
  return new Map(rows.map(({ urlKey, bytes }) => [urlKey, bytes]));
}

/** Data exceptions, and limits of the server: a tsvector holds 1 MB. */
const REFUSED = /^(?:22|54)/;

/** Null: the server refuses a value of the statement. The transaction continues as if it had not run. */
async function unlessRefused<T>(tx: Transaction, work: () => Promise<T>): Promise<T | null> {
  await tx.query('SAVEPOINT page_texts');
  try {
    const result = await work();
    await tx.query('RELEASE SAVEPOINT page_texts');
    return result;
  } catch (error) {
    if (!REFUSED.test(sqlState(error))) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT page_texts');
    return null;
  }
}

/**
 * Text search configurations of PostgreSQL by primary language subtag (BCP 47). A server that lacks one reads its
 * pages by the rules of `simple`.
 */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Words as they are written, in lower case. */
const SIMPLE = 'simple';

/** The text search configuration for a page by the language tag it declares. */
export function textSearchConfiguration(language: string | null): string {
  const primary = language?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(CONFIGURATIONS, primary) ? (CONFIGURATIONS[primary] ?? SIMPLE) : SIMPLE;
}
