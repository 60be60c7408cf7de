import { openSealed, sealBytes, type SealingKey } from '@app/secrets';

/** Whose cookies they are: a box of another profile does not open. */
export interface ProfileId {
  readonly tenantId: string;
  readonly name: string;
}

export interface SealedCookies {
  /** Of the key. */
  readonly keyId: string;
  readonly box: Buffer;
}

/** Encrypts the cookies of profiles with the first of the keys, and decrypts them with the one of them that did. */
export class ProfileBox {
  /** @param keys `PROFILE_KEYS`; empty: there are no profiles */
  constructor(private readonly keys: readonly SealingKey[]) {}

  get canSeal(): boolean {
    return this.keys.length > 0;
  }

  /** Sealed anew, it would be with another key. */
  isOld({ keyId }: SealedCookies): boolean {
    return keyId !== this.keys[0]?.id;
  }

  /** @throws Error without a key */
  seal(profile: ProfileId, text: string): SealedCookies {
    const [key] = this.keys;
    if (key === undefined) throw new Error('PROFILE_KEYS is not set');
    return { keyId: key.id, box: sealBytes(placeOf(profile), Buffer.from(text), key) };
  }

  /** Null: no key is the one that it was sealed with. @throws SealBrokenError */
  open(profile: ProfileId, { keyId, box }: SealedCookies): string | null {
    const key = this.keys.find(({ id }) => id === keyId);
    return key === undefined ? null : openSealed(placeOf(profile), box, key).toString('utf8');
  }
}

function placeOf({ tenantId, name }: ProfileId): string {
  return `profile ${tenantId} ${name}`;
}
