const STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  );

/** Evidence of a business in a filled graph. */
export const EVIDENCE_PER_BUSINESS = 8;
/** Names of technologies: the first is used by one business of six, the last by one of a thousand. */
export const TECHNOLOGIES = 200;

/** A number from 0 to 1 that depends on the business and a salt only. */
const draw = (salt: number): string =>
  `(abs(hashint8(n * 31 + ${salt})::bigint) % 1000000 / 1000000.0)`;
const tech = (salt: number): string =>
  `('Tech ' || floor(${TECHNOLOGIES} * power(${draw(salt)}, 3))::int)`;
const state = `(ARRAY['${STATES.join("','")}'])[1 + floor(50 * power(${draw(1)}, 1.5))::int]`;

/** Columns of business number n, of a series of numbers. */
const BUSINESSES = (from: number, to: number): string => `
  SELECT n, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
    'firm' || n || '.com' AS domain, 'Firm ' || n || ' Inc' AS name, 'firm ' || n AS name_key,
    ${state} AS state, 'City ' || floor(300 * ${draw(2)})::int AS city,
    lpad((floor(90000 * ${draw(3)})::int + 1000)::text, 5, '0') AS zip,
    (10000 + floor(80000 * ${draw(4)})::int)::text AS naics,
    ARRAY(SELECT DISTINCT t FROM unnest(ARRAY[${tech(5)}, ${tech(6)}, ${tech(7)}]) t ORDER BY t) AS tech,
    '+1' || (2000000000 + n) AS phone
  FROM generate_series(${from}::bigint, ${to}::bigint) n`;

const CHUNK = 250_000;

/**
 * Statements that fill an empty graph with businesses of skewed technologies and states, each with eight facts. Indexes are
 * made afterwards, foreign keys are not checked: it needs an owner that may turn triggers off.
 */
export function fillGraph(businesses: number): readonly string[] {
  const chunks: string[] = [];
  for (let from = 1; from <= businesses; from += CHUNK)
    chunks.push(...fillChunk(from, Math.min(businesses, from + CHUNK - 1)));
  return [
    'SET session_replication_role = replica',
    'SET synchronous_commit = off',
    SAVE_INDEXES,
    DROP_INDEXES,
    ...chunks,
    "SET maintenance_work_mem = '1GB'",
    MAKE_INDEXES,
    'VACUUM ANALYZE businesses',
    'VACUUM ANALYZE business_evidence',
    'VACUUM ANALYZE business_keys',
  ];
}

const TABLES = `('businesses', 'business_evidence', 'business_keys')`;
const SAVE_INDEXES = `
  CREATE TEMP TABLE saved_indexes AS SELECT indexname, indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename IN ${TABLES} AND indexname NOT LIKE '%_pkey'`;
const each = (work: string): string =>
  `DO $$ DECLARE one record; BEGIN FOR one IN SELECT * FROM saved_indexes LOOP EXECUTE ${work}; END LOOP; END $$`;
const DROP_INDEXES = each(`'DROP INDEX ' || quote_ident(one.indexname)`);
const MAKE_INDEXES = each('one.indexdef');

function fillChunk(from: number, to: number): readonly string[] {
  const rows = BUSINESSES(from, to);
  const fact = (field: string, value: string): string =>
    `(${field}, ${value}, 'https://' || b.domain || '/')`;
  return [
    `
    INSERT INTO businesses (id, domain, name, name_key, state, zip, facets, record, has_site, source_count, evidence_count, freshness)
    SELECT id, domain, name, name_key, state, zip,
      ARRAY(SELECT f FROM unnest(ARRAY['c:' || lower(city), 's:' || lower(state), 'n:' || left(naics, 2), 'n:' || left(naics, 3)]
        || ARRAY(SELECT 't:' || lower(t) FROM unnest(tech) t)) f ORDER BY f),
      jsonb_build_object('domain', domain, 'name', name, 'phone', phone, 'techStack', to_jsonb(tech), 'socials', '{}'::jsonb,
        'location', jsonb_build_object('city', city, 'state', state, 'zip', zip),
        'industry', jsonb_build_object('naics', naics, 'title', 'Industry ' || left(naics, 3))),
      true, 1, ${EVIDENCE_PER_BUSINESS}, '2026-01-01'
    FROM (${rows}) b`,
    `
    INSERT INTO business_evidence (business_id, field, hash, value, source, url, confidence, first_seen, last_seen)
    SELECT b.id, f.field, decode(md5(f.field || f.value::text), 'hex'), f.value, 'enrich', f.url, 0.8, '2026-01-01', '2026-01-01'
    FROM (${rows}) b CROSS JOIN LATERAL (VALUES
      ${fact(`'name'`, 'to_jsonb(b.name)')}, ${fact(`'domain'`, 'to_jsonb(b.domain)')},
      ${fact(`'phone'`, 'to_jsonb(b.phone)')}, ${fact(`'description'`, `to_jsonb('About ' || b.name)`)},
      ${fact(`'location'`, `jsonb_build_object('city', b.city, 'state', b.state, 'zip', b.zip)`)},
      ${fact(`'industry'`, `jsonb_build_object('naics', b.naics, 'title', 'Industry ' || left(b.naics, 3))`)},
      ${fact(`'tech'`, 'to_jsonb(b.tech[1])')}, ${fact(`'logo'`, `to_jsonb('https://' || b.domain || '/logo.svg')`)}
    ) f (field, value, url)`,
    `
    INSERT INTO business_keys (kind, value, business_id)
    SELECT k.kind, k.value, b.id FROM (${rows}) b
    CROSS JOIN LATERAL (VALUES ('domain', b.domain), ('phone', b.phone)) k (kind, value)`,
  ];
}
