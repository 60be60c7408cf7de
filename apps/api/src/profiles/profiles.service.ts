import { Injectable } from '@nestjs/common';
import { CREDIT_COSTS, CreditCharges, type CreditUse, type Tenant } from '@app/accounts';
import { ApiError, ownWaitsMs } from '@app/contracts';
import {
  CookieInputError,
  deleteProfile,
  findProfile,
  listProfiles,
  LoginCookies,
  MAX_PROFILES,
  putProfile,
  type LoginProfile,
} from '@app/profiles';
import type { Runtime } from '@app/runtime';
import { PageCall } from '../fetchers/page-call.js';
import { parseActions } from '../scrape/parse-actions.js';
import type { ScrapeCall } from '../scrape/scrape.service.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';
import { ProfileCheck } from './profile-check.js';
import type { ProfileRequest, ProfileView } from './profiles.dto.js';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export interface SavedProfile {
  readonly profile: ProfileView;
  /** Of a login. */
  readonly spent?: CreditUse;
}

/** Logins of sites under a name. */
@Injectable()
export class ProfilesService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings'>,
    private readonly targets: TargetCheck,
    private readonly check: ProfileCheck,
    private readonly pages: PageCall,
    private readonly charges: CreditCharges,
  ) {}

  /** @throws ApiError */
  async put(name: string, body: ProfileRequest, call: ScrapeCall): Promise<SavedProfile> {
    const { tenant } = call;
    this.check.requireKeys();
    if (!NAME.test(name))
      throw invalidRequest(
        'The name of a profile has up to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or digit',
      );
    const url = body.url == null ? null : this.targets.parse(body.url);
    const { cookies, ...spent } = await this.cookiesOf(name, { ...body, url }, call);
    const terms = { box: this.check.box, days: this.runtime.settings.profileDays };
    const put = { name, loginUrl: url?.href ?? null, cookies };
    const profile = await putProfile(this.runtime.database, tenant.id, put, terms);
    if (profile === null) throw tooMany();
    return { profile: presentProfile(profile), ...spent };
  }

  private async cookiesOf(
    name: string,
    { url, cookies, ...body }: Omit<ProfileRequest, 'url'> & { readonly url: URL | null },
    call: ScrapeCall,
  ): Promise<{ readonly cookies: LoginCookies; readonly spent?: CreditUse }> {
    const actions = parseActions(body.actions);
    if (actions.length === 0) return { cookies: parseCookies(cookies, url) };
    if (cookies != null)
      throw invalidRequest('`actions` do not go with `cookies`. Leave out one of them');
    if (url === null) throw invalidRequest('`actions` need `url`, the page of the login');
    const known = await this.list(call.tenant);
    // Known before it costs anything; saving it counts once more.
    if (known.length >= MAX_PROFILES && !known.some((one) => one.name === name)) throw tooMany();
    const plain = { listing: false, llm: null, allowVision: false, chunks: false };
    const task = this.pages.taskFor(url.href, call, plain);
    const fetch = { ...task.fetch, forceHeadless: true, actions };
    const login = {
      ...{ ...task, fetch, savesLogin: name, ignoreRobotsTxt: body.ignoreRobotsTxt ?? false },
      deadlineAtMs: task.deadlineAtMs + ownWaitsMs(fetch),
    };
    const charge = { ...call, operation: 'scrape' } as const;
    const { value, ...spent } = await this.charges.charged(
      charge,
      CREDIT_COSTS.scrape,
      async () => {
        const { keyId, box } = await this.pages.logIn(login, call.signal);
        const sealed = { keyId, box: Buffer.from(box, 'base64') };
        const json = this.check.box.open({ tenantId: call.tenant.id, name }, sealed);
        // A fetcher with other keys, or none.
        if (json === null) throw new ApiError('profiles_unavailable');
        const value = LoginCookies.read(json);
        return { value, credits: CREDIT_COSTS.scrape, costMicroUsd: 0, isExtraction: false };
      },
    );
    return { cookies: value, spent };
  }

  async list(tenant: Tenant): Promise<readonly ProfileView[]> {
    const profiles = await listProfiles(this.runtime.database.asReader(tenant.id), tenant.id);
    return profiles.map(presentProfile);
  }

  /** @throws ApiError */
  async view(tenant: Tenant, name: string): Promise<ProfileView> {
    const own = this.runtime.database.asReader(tenant.id);
    const profile = await findProfile(own, tenant.id, name);
    if (profile === null) throw new ApiError('profile_not_found');
    return presentProfile(profile);
  }

  /** @throws ApiError */
  async delete(tenant: Tenant, name: string): Promise<void> {
    await this.view(tenant, name);
    if (!(await deleteProfile(this.runtime.database, tenant.id, name)))
      throw new ApiError('profile_not_found');
  }
}

function tooMany(): ApiError {
  return new ApiError('too_many_profiles', { limit: MAX_PROFILES });
}

/** @throws ApiError */
function parseCookies(value: unknown, url: URL | null): LoginCookies {
  try {
    return LoginCookies.given(value, url);
  } catch (error) {
    if (error instanceof CookieInputError) throw invalidRequest(`\`cookies\` ${error.message}`);
    throw error;
  }
}

function presentProfile(profile: LoginProfile): ProfileView {
  const { name, loginUrl, hosts, cookieNames, savedAt, usedAt, expiresAt } = profile;
  return {
    name,
    state: stateOf(profile),
    url: loginUrl,
    ...{ hosts, cookieNames },
    savedAt: savedAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  };
}

function stateOf({ expiresAt, authExpiredAt }: LoginProfile): ProfileView['state'] {
  if (expiresAt <= new Date()) return 'expired';
  return authExpiredAt === null ? 'active' : 'auth_expired';
}
