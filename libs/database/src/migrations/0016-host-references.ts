import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is known of a host may be forgotten when no job refers to it. The database itself refuses the
 * others: a job whose host is missing would wait for ever.
 */
export class HostReferences1732180000016 implements MigrationInterface {
  name = 'HostReferences1732180000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE job_hosts DROP CONSTRAINT job_hosts_host_fkey;
      DROP INDEX job_hosts_host`);
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE INDEX job_hosts_host ON job_hosts (host);
ALTER TABLE job_hosts ADD CONSTRAINT job_hosts_host_fkey FOREIGN KEY (host) REFERENCES hosts (host);
`;
