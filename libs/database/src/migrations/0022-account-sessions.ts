import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is signed in to the account page, and the links that were sent to sign in by. Tokens are kept as
 * hashes. A session opened with a key has its id and ends with it; one opened by mail has none.
 */
export class AccountSessions1732180000022 implements MigrationInterface {
  name = 'AccountSessions1732180000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_asks, sign_in_links, account_sessions');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE account_sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  key_id uuid REFERENCES api_keys (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX account_sessions_tenant ON account_sessions (tenant_id, created_at);
CREATE INDEX account_sessions_key ON account_sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX account_sessions_expiry ON account_sessions (expires_at);

CREATE TABLE sign_in_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_links_tenant ON sign_in_links (tenant_id);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

CREATE TABLE sign_in_asks (
  subject bytea NOT NULL CHECK (length(subject) = 32),
  window_start timestamptz NOT NULL,
  asks integer NOT NULL CHECK (asks > 0),
  PRIMARY KEY (subject, window_start)
);
CREATE INDEX sign_in_asks_window ON sign_in_asks (window_start);
`;
