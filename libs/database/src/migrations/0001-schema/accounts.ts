/** Tenants, their API keys, sessions of the account page, and the log of what operators do. */
export const ACCOUNTS = `
CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  email text,
  -- Figures agreed with this tenant; null: those of its plan.
  agreed_monthly_credits integer
    CONSTRAINT tenants_agreed_monthly_credits CHECK (agreed_monthly_credits >= 0),
  agreed_requests_per_minute integer
    CONSTRAINT tenants_agreed_requests_per_minute CHECK (agreed_requests_per_minute > 0),
  agreed_concurrent_requests integer
    CONSTRAINT tenants_agreed_concurrent_requests CHECK (agreed_concurrent_requests > 0)
);
-- Finds an address in whichever case it is written, by the rules of "C": those of a language may turn I into
-- another letter, and so into another address.
CREATE INDEX tenants_email ON tenants (lower(email COLLATE "C")) WHERE email IS NOT NULL;

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  prefix text NOT NULL,
  secret_hash bytea NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Refused from this instant on: the end of the overlap after a rotation.
  expires_at timestamptz,
  origin text NOT NULL DEFAULT 'admin'
    CONSTRAINT api_keys_origin CHECK (origin IN ('first', 'provisioned', 'account', 'admin')),
  -- The key it was last rotated to. No foreign key: that key may be deleted before this one.
  replaced_by uuid
);
CREATE UNIQUE INDEX api_keys_prefix ON api_keys (prefix);
CREATE INDEX api_keys_tenant ON api_keys (tenant_id, created_at DESC, id DESC);

-- Self-serve keys, counted per network.
CREATE TABLE key_provisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- An IPv4 address, or the /64 of an IPv6 address. Deleted once it no longer counts.
  network cidr NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX key_provisions_network ON key_provisions (network, created_at DESC);
CREATE INDEX key_provisions_age ON key_provisions (created_at);

-- Append-only.
CREATE TABLE admin_acts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  act text NOT NULL,
  -- No foreign key: the log outlives the tenant.
  tenant_id uuid,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX admin_acts_tenant ON admin_acts (tenant_id, id DESC);
CREATE FUNCTION admin_acts_keep() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'admin_acts is only added to'; END $$;
CREATE TRIGGER admin_acts_keep BEFORE UPDATE OR DELETE ON admin_acts
  FOR EACH ROW EXECUTE FUNCTION admin_acts_keep();

-- Tokens are stored as hashes. A session opened with a key has the id of the key and ends with it; one opened
-- by an e-mailed link has none.
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

-- Requests for links, counted per window. The subject is a hash of an e-mail address or a network.
CREATE TABLE sign_in_asks (
  subject bytea NOT NULL CHECK (length(subject) = 32),
  window_start timestamptz NOT NULL,
  asks integer NOT NULL CHECK (asks > 0),
  PRIMARY KEY (subject, window_start)
);
CREATE INDEX sign_in_asks_window ON sign_in_asks (window_start);
`;
