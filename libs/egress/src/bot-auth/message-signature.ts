import type { SigningKey } from './signing-keys.js';

/**
 * A covered component of a message: its identifier as RFC 9421 writes it, with quotes and parameters
 * (`"@authority";req`), and its value.
 */
export type CoveredComponent = readonly [identifier: string, value: string];

/** A member of the fields `Signature-Input` and `Signature` (RFC 9421, 4.1 and 4.2), without its label. */
export interface MessageSignature {
  readonly input: string;
  readonly signature: string;
}

/**
 * Signs the components of a message (RFC 9421, 3.1).
 * @param params in the order in which they are written; texts are visible ASCII without `"` and `\`
 */
export function signMessage(
  key: SigningKey,
  components: readonly CoveredComponent[],
  params: Readonly<Record<string, string | number>>,
): MessageSignature {
  const written = Object.entries(params).map(([name, value]) =>
    typeof value === 'number' ? `;${name}=${value}` : `;${name}="${value}"`,
  );
  const input = `(${components.map(([identifier]) => identifier).join(' ')})${written.join('')}`;
  const base = [...components, ['"@signature-params"', input]].map((line) => line.join(': '));
  return { input, signature: `:${key.sign(base.join('\n'))}:` };
}
