import { createHash } from 'node:crypto';

/**
 * A statement of a spec's own, under a name that no other text has: PostgreSQL keeps a prepared
 * statement by its name for as long as the connection lives.
 */
export const adHocStatement = (text: string): { name: string; text: string } => ({
  name: `spec_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`,
  text,
});
