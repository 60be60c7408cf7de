import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logins of sites. */
export class Profiles1732180000017 implements MigrationInterface {
  name = 'Profiles1732180000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE profiles (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        -- Of these cookies: another saving has another one.
        version uuid NOT NULL,
        -- Where the site asks for a login.
        login_url text,
        hosts text[] NOT NULL,
        cookie_names text[] NOT NULL,
        -- Encrypted with the key of this id.
        key_id text NOT NULL,
        box bytea NOT NULL,
        saved_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz,
        -- The site asked for a login again.
        auth_expired_at timestamptz,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, name)
      );
      CREATE INDEX profiles_expired ON profiles (expires_at);
      ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
      CREATE POLICY tenant_rows ON profiles USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE profiles');
  }
}
