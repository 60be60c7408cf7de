/**
 * The best matches of a query among the pages of a job of the tenant in `trawl.tenant`, best first, after a place in
 * that order. `total` counts the matches up to `p_most`; only those are ranked. It is in each row, and in the only row
 * of a search that finds nothing more.
 *
 * It runs as the owner of the tables, and checks the tenant itself: under row-level security an index may not serve
 * an operator that is not leakproof, and `@@` is none, so a tenant's own statement would read every page of the job.
 *
 * The number of rows that `@@` finds is always estimated at half a percent, twice here, which selects the index of
 * terms. Queries are read by the rules of each language that the job has pages in.
 */
const BODY = `
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM jobs WHERE id = p_job_id AND tenant_id = current_setting('trawl.tenant')::uuid) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH RECURSIVE used AS (
    (SELECT t.language FROM page_texts t WHERE t.job_id = p_job_id ORDER BY t.language LIMIT 1)
    UNION ALL
    SELECT (SELECT t.language FROM page_texts t WHERE t.job_id = p_job_id AND t.language > used.language
            ORDER BY t.language LIMIT 1)
    FROM used WHERE used.language IS NOT NULL
  ), asked AS MATERIALIZED (
    SELECT quote_literal(page_text_mark(p_job_id, used.language))::tsquery AS mark,
           websearch_to_tsquery(('pg_catalog.' || used.language)::regconfig, p_query) AS query
    FROM used WHERE used.language IS NOT NULL
  ), matched AS MATERIALIZED (
    SELECT t.language, t.url_key, t.fence, ts_rank(t.terms, asked.query) AS score
    -- The limit inside makes it a look-up for each language, for which the index of terms is the cheapest.
    FROM asked CROSS JOIN LATERAL (
      SELECT * FROM page_texts t
      WHERE t.job_id = p_job_id AND t.terms @@ asked.mark AND t.terms @@ asked.query
      LIMIT p_most
    ) AS t
    LIMIT p_most
  ), shown AS (
    SELECT * FROM matched m
    WHERE p_score IS NULL OR m.score < p_score OR (m.score = p_score AND m.url_key > p_url_key)
    ORDER BY m.score DESC, m.url_key LIMIT p_limit + 1
  )
  SELECT (SELECT count(*)::integer FROM matched), (SELECT count(*) > p_limit FROM shown),
         best.language, best.url_key, best.fence, best.score
  FROM (SELECT) AS one
  LEFT JOIN (SELECT * FROM shown ORDER BY score DESC, url_key LIMIT p_limit) AS best ON true
  ORDER BY best.score DESC, best.url_key;
END
`;

/** `%I` is the schema: a function that runs as its owner must not find another table of these names. */
export const SEARCH_PAGE_TEXTS = `
DO $do$
BEGIN
  EXECUTE format($create$
    CREATE FUNCTION search_page_texts(
      p_job_id uuid, p_query text, p_most integer, p_limit integer, p_score real, p_url_key uuid
    ) RETURNS TABLE (total integer, has_more boolean, language text, url_key uuid, fence integer, score real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
    SET search_path = pg_catalog, %I, pg_temp
    -- A plan made while the tables were small would be kept when they are not.
    SET enable_seqscan = off
    AS $body$${BODY}$body$
  $create$, current_schema());
  REVOKE EXECUTE ON FUNCTION search_page_texts(uuid, text, integer, integer, real, uuid) FROM PUBLIC;
END
$do$;
`;
