import { Injectable } from '@nestjs/common';
import type { Tenant } from '@app/accounts';
import { ApiError, type FetchOptions } from '@app/contracts';
import { findProfile, isOfHosts, ProfileBox } from '@app/profiles';
import type { Runtime } from '@app/runtime';
import { parseSealingKeys } from '@app/secrets';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';

/** Checks the profile of a request, so that one that cannot be used is refused before any work. */
@Injectable()
export class ProfileCheck {
  /** Encrypts with `PROFILE_KEYS`. */
  readonly box: ProfileBox;

  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings'>) {
    this.box = new ProfileBox(parseSealingKeys(runtime.settings.profileKeys));
  }

  /** @throws ApiError profiles_unavailable */
  requireKeys(): void {
    if (!this.box.canSeal) throw new ApiError('profiles_unavailable');
  }

  /**
   * @param url of the page, or of the start page; a list of pages has none
   * @throws ApiError
   */
  async requireUsable(
    tenant: Tenant,
    { profile: name }: Pick<FetchOptions, 'profile'>,
    url?: URL,
  ): Promise<void> {
    if (name === undefined) return;
    this.requireKeys();
    const profile = await findProfile(this.runtime.database.asReader(tenant.id), tenant.id, name);
    if (profile === null || profile.expiresAt <= new Date())
      throw new ApiError('profile_not_found');
    if (url !== undefined && !isOfHosts(url, profile.hosts))
      throw invalidRequest(
        `the cookies of the profile are for ${profile.hosts.join(', ')}, and \`url\` is of another host`,
      );
  }
}
