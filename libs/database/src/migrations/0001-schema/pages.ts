/** A power of two, so that partitions can be split again. */
const PARTITIONS = 16;

/**
 * `seq` has a sequence of its own: identity columns of partitioned tables need PostgreSQL 17. Partitions have no
 * storage parameters from their parent, so each is given them below.
 */
const TABLE = `
CREATE SEQUENCE page_numbers;
CREATE TABLE pages (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  url_key uuid NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  depth integer NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('page_numbers'),
  state text NOT NULL,
  reason text,
  attempts smallint NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 0,
  fence integer NOT NULL DEFAULT 0,
  not_before timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  status_code smallint,
  rung text,
  result_no integer,
  segment_key text,
  segment_offset integer,
  segment_bytes integer,
  finished_at timestamptz,
  kind text NOT NULL DEFAULT 'page',
  -- Where it was found.
  parent_key uuid,
  latency_ms integer,
  -- Its place among the URLs of a batch.
  position integer,
  -- Pages with equal content have the same.
  content_hash uuid
) PARTITION BY HASH (job_id);
ALTER SEQUENCE page_numbers OWNED BY pages.seq;
`;

const makePartition = (name: string, part: number): string => `
CREATE TABLE ${name} PARTITION OF pages FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${part})
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);`;

const makeIndexes = (table: string): string => `
ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (job_id, url_key);
CREATE INDEX ${table}_due ON ${table} (job_id, host, seq) WHERE state = 'pending';
CREATE INDEX ${table}_leases ON ${table} (lease_until) WHERE state = 'leased';
CREATE UNIQUE INDEX ${table}_results ON ${table} (job_id, result_no) WHERE result_no IS NOT NULL;
CREATE INDEX ${table}_content ON ${table} (job_id, content_hash) WHERE content_hash IS NOT NULL;
CREATE INDEX ${table}_ledger ON ${table} (job_id, seq);`;

const NAMES = Array.from(
  { length: PARTITIONS },
  (_, part) => `pages_${String(part).padStart(2, '0')}`,
);

/**
 * The URLs of all jobs, partitioned by job, so that they are vacuumed part by part and a partition can be moved to
 * another server. `hosts` is not partitioned: each page that ends updates a row or two of it, and a statement that
 * may touch any partition costs twice as much.
 *
 * The partitions' indexes are made first, to have readable names; those of the parent then adopt them.
 */
export const PAGES = [
  TABLE,
  ...NAMES.map(makePartition),
  ...[...NAMES, 'pages'].map(makeIndexes),
].join('');
