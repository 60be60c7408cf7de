import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The addresses of all jobs in parts, by their job, that are vacuumed and can be moved to a server of
 * their own one by one. Their number is a power of two, so that parts can be split again. Rows that exist
 * are copied while the table is locked: about a minute for five million. `hosts` stays whole: each page
 * that ends updates a row or two of it, and a statement that may touch any part costs twice as much.
 */
export class Partitions1732180000014 implements MigrationInterface {
  name = 'Partitions1732180000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(PARTED_PAGES);
    for (const part of PARTS) await runner.query(makePart(part));
    await runner.query(MOVE_PAGES);
    for (const part of PARTS) await runner.query(pageIndexes(part));
    await runner.query(INDEX_PAGES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(DOWN);
  }
}

const PARTS = Array.from({ length: 16 }, (_, part) => part);
const PAGE_STORAGE = 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05';

const nameOf = (part: number): string => `pages_${String(part).padStart(2, '0')}`;

const makePart = (part: number): string => `
  CREATE TABLE ${nameOf(part)} PARTITION OF parted_pages
    FOR VALUES WITH (MODULUS ${PARTS.length}, REMAINDER ${part}) WITH (${PAGE_STORAGE})`;

/** Named for what they are; the parent's index of the same shape takes them in. */
const pageIndexes = (part: number): string => {
  const table = nameOf(part);
  return `
    ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (job_id, url_key);
    CREATE INDEX ${table}_due ON ${table} (job_id, host, seq) WHERE state = 'pending';
    CREATE INDEX ${table}_leases ON ${table} (lease_until) WHERE state = 'leased';
    CREATE UNIQUE INDEX ${table}_results ON ${table} (job_id, result_no) WHERE result_no IS NOT NULL;
    CREATE INDEX ${table}_content ON ${table} (job_id, content_hash) WHERE content_hash IS NOT NULL;
    CREATE INDEX ${table}_ledger ON ${table} (job_id, seq)`;
};

/** Identity columns of partitioned tables are newer than the servers we run on: a sequence of its own. */
const PARTED_PAGES = `
CREATE SEQUENCE page_numbers;
CREATE TABLE parted_pages (LIKE pages INCLUDING DEFAULTS) PARTITION BY HASH (job_id);
ALTER TABLE parted_pages ALTER seq SET DEFAULT nextval('page_numbers');
`;
const MOVE_PAGES = `
INSERT INTO parted_pages SELECT * FROM pages;
SELECT setval('page_numbers', coalesce((SELECT max(seq) FROM pages), 0) + 1, false);
DROP TABLE pages;
ALTER TABLE parted_pages RENAME TO pages;
ALTER SEQUENCE page_numbers OWNED BY pages.seq;
`;
const INDEX_PAGES = `
ALTER TABLE pages ADD CONSTRAINT pages_pkey PRIMARY KEY (job_id, url_key),
  ADD CONSTRAINT pages_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE;
CREATE INDEX pages_due ON pages (job_id, host, seq) WHERE state = 'pending';
CREATE INDEX pages_leases ON pages (lease_until) WHERE state = 'leased';
CREATE UNIQUE INDEX pages_results ON pages (job_id, result_no) WHERE result_no IS NOT NULL;
CREATE INDEX pages_content ON pages (job_id, content_hash) WHERE content_hash IS NOT NULL;
CREATE INDEX pages_ledger ON pages (job_id, seq);
`;

const DOWN = `
CREATE TABLE whole_pages (LIKE pages INCLUDING DEFAULTS) WITH (${PAGE_STORAGE});
ALTER TABLE whole_pages ALTER seq DROP DEFAULT;
INSERT INTO whole_pages SELECT * FROM pages;
DROP TABLE pages;
ALTER TABLE whole_pages RENAME TO pages;
ALTER TABLE pages ALTER seq ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('pages', 'seq'), coalesce((SELECT max(seq) FROM pages), 0) + 1, false);
${INDEX_PAGES}`;
