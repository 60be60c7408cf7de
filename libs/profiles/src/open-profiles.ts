import type { BrowserCookie } from '@app/contracts';
import type { Database } from '@app/database';
import { COOKIE_LIMITS, isOfHosts, LoginCookies, siteNameOf } from './login-cookies.js';
import type { ProfileId, SealedCookies } from './profile-box.js';
import {
  findLogin,
  noteAuthExpired,
  noteLoginUse,
  type ProfileTerms,
  type StoredLogin,
} from './profiles.js';

/** How often a use that changed no cookie is noted. */
const NOTED_MS = 60_000;

export interface OpenProfilesOptions extends ProfileTerms {
  readonly database: Pick<Database, 'query'>;
  /** Called where a profile cannot be read or noted; the page goes on. */
  readonly onProblem: (what: string, error: unknown) => void;
}

/**
 * Encrypts the cookies that a login ended with, of the sites of these addresses; those of third parties are left out.
 * Null: there are none, or they are more than a profile may have.
 */
export type SealLogin = (
  urls: readonly string[],
  cookies: readonly BrowserCookie[],
) => SealedCookies | null;

/** Opens profiles for the pages of a fetcher. */
export class OpenProfiles {
  constructor(private readonly options: OpenProfilesOptions) {}

  /** What encrypts the cookies of a login that is about to begin. Null: there are no PROFILE_KEYS. */
  sealLogin(id: ProfileId): SealLogin | null {
    const { box } = this.options;
    if (!box.canSeal) return null;
    return (urls, cookies) => {
      const sites = urls.map((url) => siteNameOf(new URL(url).hostname));
      const own = cookies.filter(({ domain }) =>
        sites.includes(siteNameOf(domain.replace(/^\./, ''))),
      );
      if (own.length > COOKIE_LIMITS.cookies) return null;
      const kept = LoginCookies.kept(own);
      const json = kept.toJson();
      const isFit = kept.names.length > 0 && Buffer.byteLength(json) <= COOKIE_LIMITS.bytes;
      return isFit ? box.seal(id, json) : null;
    };
  }

  /** Null: there is none of that name, it has expired, or the key that it was encrypted with is missing. */
  async open(id: ProfileId): Promise<OpenLogin | null> {
    const { database, box, onProblem } = this.options;
    const stored = await findLogin(database, id);
    if (stored === null) return null;
    try {
      const json = box.open(id, stored);
      if (json !== null)
        return new OpenLogin(this.options, id, { ...stored, cookies: LoginCookies.read(json) });
      onProblem('a profile is encrypted with a key that is not in PROFILE_KEYS', undefined);
    } catch (error) {
      onProblem('a profile cannot be opened', error);
    }
    return null;
  }
}

interface Login extends StoredLogin {
  readonly cookies: LoginCookies;
}

/** The login of a profile, for one page. */
export class OpenLogin {
  constructor(
    private readonly options: OpenProfilesOptions,
    private readonly id: ProfileId,
    private readonly login: Login,
  ) {}

  /** Where the site asks for a login; null: unknown. */
  get loginUrl(): string | null {
    return this.login.loginUrl;
  }

  /** Whether its cookies may go to an address at all. */
  isFor(url: URL): boolean {
    return isOfHosts(url, this.login.cookies.hosts);
  }

  /** Whether an address is of the same registrable domain as one of its hosts. */
  isNear({ hostname }: URL): boolean {
    const { hosts } = this.login.cookies;
    return hosts.some((host) => siteNameOf(host.replace(/^\./, '')) === siteNameOf(hostname));
  }

  /** Text of a Cookie header; empty: none. */
  headerFor(url: URL): string {
    return this.login.cookies.headerFor(url);
  }

  forBrowser(): readonly BrowserCookie[] {
    return this.login.cookies.forBrowser();
  }

  /** Notes that a page was served to it: at once if it set cookies to other values, else once a minute at most. */
  async used(url: URL, setCookies: readonly string[]): Promise<void> {
    const { cookies, usedAt } = this.login;
    const { database } = this.options;
    const before = cookies.toJson();
    const taken = cookies.take(url, setCookies);
    const isDue = usedAt === null || Date.now() - usedAt.getTime() >= NOTED_MS;
    const kept = taken === null ? LoginCookies.read(before) : cookies;
    // A site that took all of them back has ended the login: the next page says so.
    if (kept.names.length === 0 || (taken !== 'values' && !isDue)) return;
    const use = { opened: this.login, cookies: kept, isChanged: taken !== null };
    await this.noted(() => noteLoginUse(database, this.id, use, this.options));
  }

  /** Notes that the site asked for a login again. */
  async expired(): Promise<void> {
    await this.noted(() => noteAuthExpired(this.options.database, this.id, this.login.version));
  }

  private async noted(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.options.onProblem('the use of a profile was not noted', error);
    }
  }
}
