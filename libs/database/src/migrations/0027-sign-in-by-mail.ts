import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the accounts of an e-mail address, whichever case it is written in. By the rules of "C": those of a
 * language may make other letters of I, and so another address.
 */
export class SignInByMail1732180000027 implements MigrationInterface {
  name = 'SignInByMail1732180000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL statement_timeout = 0;
      CREATE INDEX tenants_email ON tenants (lower(email COLLATE "C")) WHERE email IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tenants_email');
  }
}
