import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCH_PAGE_TEXTS } from './0002-page-texts/search-function.js';

/** As many as `pages` has. */
const PARTITIONS = 16;

/**
 * The text of stored pages, of jobs that have a search index. `fence` is that of the claim that wrote the row: rows
 * are written before the transaction decides which claims count, and those of the others are deleted again.
 *
 * `terms` begins with a mark that only the pages of one job in one language have, so the index finds the matches
 * within a job without reading those of other jobs. Large columns have no statistics: gathering them would read all of
 * the sample, and no plan needs them.
 */
const TABLE = `
CREATE TABLE page_texts (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  -- A text search configuration of PostgreSQL.
  language text COLLATE "C" NOT NULL,
  url_key uuid NOT NULL,
  fence integer NOT NULL,
  url text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  terms tsvector NOT NULL
) PARTITION BY HASH (job_id);

-- Control characters: no word of a page contains one.
CREATE FUNCTION page_text_mark(p_job_id uuid, p_language text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $body$ SELECT chr(1) || p_job_id::text || p_language || chr(1) $body$;
`;

const makePartition = (name: string, part: number): string => `
CREATE TABLE ${name} PARTITION OF page_texts FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${part})
  WITH (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE ${name} ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN terms SET STATISTICS 0;`;

/** Entries go into the index at once: a list of pending ones would be read by each search of any job. */
const makeIndexes = (table: string): string => `
ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (job_id, language, url_key, fence);
CREATE INDEX ${table}_terms ON ${table} USING gin (terms) WITH (fastupdate = off);`;

const NAMES = Array.from(
  { length: PARTITIONS },
  (_, part) => `page_texts_${String(part).padStart(2, '0')}`,
);

const ISOLATION = `
ALTER TABLE page_texts ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON page_texts USING (
  (SELECT j.tenant_id FROM jobs j WHERE j.id = page_texts.job_id)
    = (SELECT current_setting('trawl.tenant')::uuid));
`;

/** Full text search of the pages that a job stored. */
export class PageTexts1732180000002 implements MigrationInterface {
  name = 'PageTexts1732180000002';

  async up(runner: QueryRunner): Promise<void> {
    const partitions = NAMES.map(makePartition);
    const indexes = [...NAMES, 'page_texts'].map(makeIndexes);
    await runner.query([TABLE, ...partitions, ...indexes, ISOLATION].join(''));
    await runner.query(SEARCH_PAGE_TEXTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE page_texts CASCADE');
    await runner.query(
      'DROP FUNCTION search_page_texts(uuid, text, integer, integer, real, uuid); DROP FUNCTION page_text_mark(uuid, text)',
    );
  }
}
