import type { ApiKey } from '@app/accounts';
import type { KeyView, RevokedKeyView } from './key.dto.js';

/** @param currentId of the key the request came with */
export function presentKey(key: ApiKey, currentId: string | null): KeyView {
  const { id, label, prefix, createdAt, lastUsedAt, expiresAt, revokedAt, origin } = key;
  return {
    id,
    label,
    prefix,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    origin,
    current: id === currentId,
  };
}

export function presentRevoked(key: ApiKey, currentId: string | null): RevokedKeyView {
  const view = presentKey(key, currentId);
  const note = 'This request came with this key: it is refused from the next request on.';
  return { ...view, note: view.current ? note : null };
}
