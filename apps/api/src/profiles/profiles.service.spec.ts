import { MAX_PROFILES } from '@app/profiles';
import type { Runtime } from '@app/runtime';
import type { ScrapeCall } from '../scrape/scrape.service.js';
import { ProfileCheck } from './profile-check.js';
import type { ProfileRequest } from './profiles.dto.js';
import { ProfilesService } from './profiles.service.js';

const URL_TEXT = 'https://a.example/login';
const body = { url: URL_TEXT, actions: [{ type: 'click', selector: 'button' }] } as ProfileRequest;

/** A service of an account with that many profiles, `p0` and on, whose fetchers have no keys. */
function started(profiles: number) {
  const seen = { logins: 0, charged: 0 };
  const at = new Date();
  const rows = Array.from({ length: profiles }, (_, n) => ({
    ...{ name: `p${n}`, savedAt: at, usedAt: null, expiresAt: at },
  }));
  const runtime = {
    database: { asReader: () => ({ query: async () => rows }) },
    settings: { profileKeys: [Buffer.alloc(32, 1).toString('base64')].join() },
  } as unknown as Runtime;
  const logIn = async () => {
    seen.logins++;
    return { kind: 'login', keyId: '', box: '' };
  };
  const pages = { taskFor: () => ({ fetch: {}, deadlineAtMs: 0 }), logIn };
  const charges = {
    charged: async (_: unknown, credits: number, work: () => Promise<object>) => {
      const result = await work();
      seen.charged += credits;
      return result;
    },
  };
  const service = new ProfilesService(
    ...([runtime, { parse: (text: string) => new URL(text) }] as unknown as [Runtime, never]),
    new ProfileCheck(runtime),
    ...([pages, charges] as never as [never, never]),
  );
  const call = { tenant: { id: 't' } } as ScrapeCall;
  return { put: (name: string) => service.put(name, body, call), seen };
}

describe('a login by actions', () => {
  it('is not begun for one profile too many', async () => {
    const { put, seen } = started(MAX_PROFILES);
    await expect(put('more')).rejects.toMatchObject({ code: 'too_many_profiles' });
    expect(seen).toEqual({ logins: 0, charged: 0 });
    await expect(put('p0')).rejects.toMatchObject({ code: 'profiles_unavailable' });
    expect(seen.logins).toBe(1);
  });

  it('costs nothing where the fetcher has not the keys', async () => {
    const { put, seen } = started(0);
    await expect(put('more')).rejects.toMatchObject({ code: 'profiles_unavailable' });
    expect(seen).toEqual({ logins: 1, charged: 0 });
  });
});
