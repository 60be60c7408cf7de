import type { ApiKey } from '@app/accounts';
import type { KeyView, RevokedKeyView } from './key.dto.js';

/** @param currentId id of the request's own key */
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
  const note = 'You revoked the key of this request: it no longer works.';
  return { ...view, note: view.current ? note : null };
}
