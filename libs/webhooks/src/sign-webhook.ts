import { createHmac } from 'node:crypto';

/** Every signing secret is shown with this before its base64 (Standard Webhooks: Signature scheme). */
export const SECRET_PREFIX = 'whsec_';

export interface SignedMessage {
  /** The same for every attempt, so that a receiver knows one it already had. */
  readonly id: string;
  /** Of the attempt: receivers refuse one that is minutes old, so that none can be played again. */
  readonly at: Date;
  readonly body: string;
}

/** Headers of Standard Webhooks 1.0. One signature per secret: during a rotation either verifies. */
export function webhookHeaders(
  { id, at, body }: SignedMessage,
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** A signing secret as it is shown. */
export function secretText(secret: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(secret).toString('base64');
}

const SHOWN_CHARS = 6;

/** Enough to distinguish two secrets, too little to guess one. */
export function secretHint(secret: Uint8Array): string {
  return secretText(secret).slice(0, SECRET_PREFIX.length + SHOWN_CHARS);
}
