/** A search over a crawl of the PostgreSQL manual, and the file that answers it. */
export interface ManualQuestion {
  readonly query: string;
  readonly page: string;
}

/** Written before the first search ran: the ranking is measured by them, not made for them. */
export const MANUAL_QUESTIONS: readonly ManualQuestion[] = [
  { query: 'vacuum transaction id wraparound', page: 'routine-vacuuming.html' },
  { query: '"row security policies"', page: 'ddl-rowsecurity.html' },
  { query: 'pg_hba.conf', page: 'auth-pg-hba-conf.html' },
  { query: 'table partitioning range list hash', page: 'ddl-partitioning.html' },
  { query: 'transaction isolation levels', page: 'transaction-iso.html' },
  { query: 'soundex or metaphone', page: 'fuzzystrmatch.html' },
  { query: 'heap-only tuples', page: 'storage-hot.html' },
  { query: 'trigram similarity', page: 'pgtrgm.html' },
  { query: 'continuous archiving point-in-time recovery', page: 'continuous-archiving.html' },
  { query: 'automatic vacuuming parameters', page: 'runtime-config-autovacuum.html' },
  { query: 'ranking and highlighting search results', page: 'textsearch-controls.html' },
  { query: 'deadlocks advisory locks', page: 'explicit-locking.html' },
  { query: '"password file" libpq', page: 'libpq-pgpass.html' },
  { query: 'asynchronous commit', page: 'wal-async-commit.html' },
  { query: 'dollar-quoted string constants', page: 'sql-syntax-lexical.html' },
  { query: 'jsonb containment existence', page: 'datatype-json.html' },
  { query: 'shared memory semaphores kernel', page: 'kernel-resources.html' },
  { query: 'recursive common table expressions', page: 'queries-with.html' },
  { query: 'pipeline mode -pgbench', page: 'libpq-pipeline-mode.html' },
  { query: 'dropping roles owned objects', page: 'role-removal.html' },
];
