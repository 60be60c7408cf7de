import { Injectable } from '@nestjs/common';
import { isId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  DEFAULT_OVERLAP_SECONDS,
  findApiKey,
  issueApiKey,
  KeyLimitError,
  listApiKeys,
  MAX_ACTIVE_KEYS,
  revokeApiKeyById,
  rotateApiKey,
  type Tenant,
  type ApiKey,
} from '@app/accounts';
import { InjectRuntime } from '../../runtime.token.js';
import type {
  KeyList,
  NewKeyRequest,
  NewKeyView,
  RevokedKeyView,
  RotatedKeyView,
  RotateKeyRequest,
  KeyView,
} from './key.dto.js';

/** @param currentId id of the request's own key */
function presentKey(key: ApiKey, currentId: string | null): KeyView {
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

function presentRevoked(key: ApiKey, currentId: string | null): RevokedKeyView {
  const view = presentKey(key, currentId);
  const note = 'You revoked the key of this request: it no longer works.';
  return { ...view, note: view.current ? note : null };
}

/** An account manages its own keys. */
@Injectable()
export class KeysService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>) {}

  async list({ id, keyId }: Tenant): Promise<KeyList> {
    const keys = await listApiKeys(this.runtime.database, id);
    return { keys: keys.map((key) => presentKey(key, keyId)) };
  }

  async create({ id: tenantId, keyId }: Tenant, { label }: NewKeyRequest): Promise<NewKeyView> {
    const { database } = this.runtime;
    const wanted = { tenantId, label, origin: 'account' as const };
    const { key, record } = await withinLimit(issueApiKey(database, wanted));
    return { ...presentKey(record, keyId), apiKey: key };
  }

  async rotate(tenant: Tenant, keyId: string, body: RotateKeyRequest): Promise<RotatedKeyView> {
    const which = this.keyOf(tenant, keyId);
    const overlapSeconds = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
    const rotated = await withinLimit(
      rotateApiKey(this.runtime.database, { ...which, overlapSeconds }),
    );
    if (!rotated) throw await this.notRotated(which);
    const { key, record, previousExpiresAt } = rotated;
    return {
      ...presentKey(record, tenant.keyId),
      apiKey: key,
      replaces: { id: keyId, expiresAt: previousExpiresAt.toISOString() },
    };
  }

  async revoke(tenant: Tenant, keyId: string): Promise<RevokedKeyView> {
    const { database } = this.runtime;
    const which = this.keyOf(tenant, keyId);
    const key = (await revokeApiKeyById(database, which))
      ? await findApiKey(database, which)
      : null;
    if (!key) throw new ApiError('key_not_found');
    return presentRevoked(key, tenant.keyId);
  }

  /** Another tenant's key is reported like an unknown one. */
  private keyOf({ id: tenantId }: Tenant, keyId: string) {
    if (!isId(keyId)) throw new ApiError('key_not_found');
    return { tenantId, keyId };
  }

  private async notRotated(which: Parameters<typeof findApiKey>[1]): Promise<ApiError> {
    const known = await findApiKey(this.runtime.database, which);
    return new ApiError(known ? 'key_ended' : 'key_not_found');
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof KeyLimitError)) throw cause;
    throw new ApiError('too_many_keys', { limit: MAX_ACTIVE_KEYS }, { cause });
  }
}
