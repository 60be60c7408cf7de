import type { MigrationInterface, QueryRunner } from 'typeorm';

const SIGNATURE = 'inherit_page_texts(uuid, uuid[], integer[])';

/**
 * Copies texts of the crawl before to pages that are as it has them: a fetcher, which reads no text, calls it. Returns what
 * each takes, as `writePageTexts` counts it.
 */
const INHERIT_TEXTS = `
DO $do$ BEGIN
  EXECUTE format($create$
    CREATE FUNCTION inherit_page_texts(p_job_id uuid, p_url_keys uuid[], p_fences integer[])
    RETURNS TABLE (url_key uuid, bytes integer)
    LANGUAGE sql VOLATILE SECURITY DEFINER ROWS 20
    SET search_path = pg_catalog, %I, pg_temp
    SET enable_seqscan = off
    AS $body$
      WITH base AS (SELECT base_id FROM jobs WHERE id = p_job_id), copied AS (
        INSERT INTO page_texts AS made (job_id, language, url_key, fence, url, title, body, terms)
        SELECT p_job_id, t.language, t.url_key, page.fence, t.url, t.title, t.body,
               ts_delete(t.terms, page_text_mark(t.job_id, t.language))
                 || array_to_tsvector(ARRAY[page_text_mark(p_job_id, t.language)])
        FROM base, unnest(p_url_keys, p_fences) AS page (url_key, fence), pg_ts_config c, page_texts t
        WHERE t.job_id = base.base_id AND t.language = c.cfgname::text AND t.url_key = page.url_key
        ON CONFLICT DO NOTHING
        RETURNING made.url_key, made.body, made.terms
      )
      SELECT copied.url_key, octet_length(body) + 2 * pg_column_size(terms) + 52 * length(terms) FROM copied
    $body$
  $create$, current_schema());
  REVOKE EXECUTE ON FUNCTION ${SIGNATURE} FROM PUBLIC;
END
$do$;`;

/** A crawl that knows the pages of the one before. */
export class Recrawls1732180000015 implements MigrationInterface {
  name = 'Recrawls1732180000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The crawl before: its documents stay as long as this job has them.
      ALTER TABLE jobs ADD COLUMN base_id uuid REFERENCES jobs (id) ON DELETE SET NULL,
        -- When the first crawl of its chain began: documents that it inherits are no older.
        ADD COLUMN chain_at timestamptz,
        -- Pages that were found unchanged without rendering: ten cost a credit.
        ADD COLUMN unchanged integer NOT NULL DEFAULT 0;
      CREATE INDEX jobs_base ON jobs (base_id) WHERE base_id IS NOT NULL;
      -- Of the answer that brought the stored document, two lines: ETag, Last-Modified. While a page of a later crawl waits,
      -- those of the crawl before, and until it is a result again the hash of its content; of content without one its own key.
      ALTER TABLE pages ADD COLUMN validators text, ADD COLUMN base_hash uuid,
        -- Of a duplicate: the key of the page that it is.
        ADD COLUMN same_as uuid;
      ${INHERIT_TEXTS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION ${SIGNATURE};
      ALTER TABLE pages DROP COLUMN same_as, DROP COLUMN base_hash, DROP COLUMN validators;
      DROP INDEX jobs_base;
      ALTER TABLE jobs DROP COLUMN unchanged, DROP COLUMN chain_at, DROP COLUMN base_id`);
  }
}
