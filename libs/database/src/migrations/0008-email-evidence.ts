import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The opt-out of an e-mail address holds up all writers of the graph: it finds the address by an index. */
export class EmailEvidence1732180000008 implements MigrationInterface {
  name = 'EmailEvidence1732180000008';

  async up(runner: QueryRunner): Promise<void> {
    // An address has at most 254 characters (RFC 5321); an index refuses what has thousands.
    await runner.query(`
      CREATE INDEX business_evidence_emails ON business_evidence (left(value #>> '{}', 254)) WHERE field = 'email'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX business_evidence_emails');
  }
}
