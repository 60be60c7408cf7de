/**
 * The customer a tenant is at the payment provider, with its subscription as last read; events the provider sent;
 * and payments of calls without a key. An event keeps only what says whose state to read, nothing about a person.
 */
export const BILLING = `
CREATE TABLE billing_accounts (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  provider text NOT NULL,
  customer_id text,
  -- The idempotency key of creating the customer: a creation whose answer was lost is repeated under it.
  claim_id uuid NOT NULL,
  subscription_id text,
  subscription_state text,
  -- The plan of the last reading; null before the first.
  plan text,
  -- The payment status of the last reading.
  payment text,
  period_end timestamptz,
  ends_at timestamptz,
  -- Readings begun, and the newest one written: a reading that began before it changes nothing.
  reads_begun bigint NOT NULL DEFAULT 0,
  read_written bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  -- When the account is read again even if no event arrives.
  reread_at timestamptz NOT NULL DEFAULT now() + interval '1 day',
  CONSTRAINT billing_accounts_customer UNIQUE (provider, customer_id)
);
CREATE INDEX billing_accounts_reread ON billing_accounts (provider, reread_at)
  WHERE customer_id IS NOT NULL;

CREATE TABLE payment_events (
  provider text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  customer_id text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  received_at timestamptz NOT NULL DEFAULT now(),
  next_at timestamptz DEFAULT now(),
  applied_at timestamptz,
  error text,
  PRIMARY KEY (provider, id),
  CONSTRAINT payment_events_state CHECK (state IN ('pending', 'applied', 'ignored', 'failed')),
  CONSTRAINT payment_events_due CHECK ((state = 'pending') = (next_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX payment_events_pending ON payment_events (provider, next_at) WHERE state = 'pending';
CREATE INDEX payment_events_customer ON payment_events (provider, customer_id) WHERE state = 'pending';
CREATE INDEX payment_events_received ON payment_events (received_at);

CREATE TABLE pay_per_call_payments (
  -- SHA-256 of what makes the payment spendable once: see PaymentClaim.
  id bytea PRIMARY KEY,
  network text NOT NULL,
  asset text NOT NULL,
  amount numeric(78, 0) NOT NULL,
  operation text NOT NULL,
  state text NOT NULL DEFAULT 'claimed',
  payer text,
  -- Of the settlement, on the network.
  transaction_id text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  state_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pay_per_call_payments_state
    CHECK (state IN ('claimed', 'settling', 'settled', 'failed', 'unknown')),
  CONSTRAINT pay_per_call_payments_settled CHECK (state <> 'settled' OR transaction_id IS NOT NULL),
  -- One transfer pays for one call, however the payment was encoded.
  CONSTRAINT pay_per_call_payments_transaction UNIQUE (network, transaction_id)
);
CREATE INDEX pay_per_call_payments_open ON pay_per_call_payments (state_at)
  WHERE state IN ('claimed', 'settling');
CREATE INDEX pay_per_call_payments_created ON pay_per_call_payments (created_at);
`;
