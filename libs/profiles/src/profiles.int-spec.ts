import { createTenant } from '@app/accounts';
import type { Database } from '@app/database';
import { parseSealingKeys } from '@app/secrets';
import { adHocStatement } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { LoginCookies } from './login-cookies.js';
import { OpenProfiles } from './open-profiles.js';
import { ProfileBox } from './profile-box.js';
import {
  deleteProfile,
  deleteTenantProfiles,
  findLogin,
  findProfile,
  listProfiles,
  putProfile,
  sweepProfiles,
} from './profiles.js';

const SITE = new URL('https://a.example/');
const DAY_MS = 86_400_000;
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const boxOf = (...bytes: number[]) => new ProfileBox(parseSealingKeys(bytes.map(key).join()));

describe('profiles', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  const problems: string[] = [];
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await database.query(adHocStatement('TRUNCATE tenants CASCADE'));
    tenantId = (await createTenant(database, 'spec', 'pro')).id;
    problems.length = 0;
  });

  const put = (cookies: unknown = 's=CANARY', name = 'shop', over: { limit?: number } = {}) =>
    putProfile(
      database,
      tenantId,
      { name, loginUrl: null, cookies: LoginCookies.given(cookies, SITE) },
      { box: boxOf(1), days: 30, ...over },
    );
  const open = (name = 'shop', box = boxOf(1), tenant = tenantId) =>
    new OpenProfiles({
      ...{ database, box, days: 30, onProblem: (what: string) => void problems.push(what) },
    }).open({ tenantId: tenant, name });
  const header = async () => (await open())?.headerFor(SITE);
  const usedLongAgo = () =>
    database.query(adHocStatement(`UPDATE profiles SET used_at = now() - interval '61 seconds'`));

  it('are put in the place of one of their name, up to a number, each tenant by itself', async () => {
    expect(await put('s=1', 'shop', { limit: 1 })).toMatchObject({
      ...{ name: 'shop', hosts: ['a.example'], cookieNames: ['s'], usedAt: null },
    });
    expect(await put('t=1', 'shop', { limit: 1 })).toMatchObject({ cookieNames: ['t'] });
    expect(await put('s=1', 'more', { limit: 1 })).toBeNull();
    expect(await put('s=1', 'more', { limit: 2 })).not.toBeNull();
    const other = (await createTenant(database, 'other', 'pro')).id;
    expect(await findProfile(database.asReader(other), other, 'shop')).toBeNull();
    expect(await open('shop', boxOf(1), other)).toBeNull();
    expect(await deleteProfile(database, other, 'shop')).toBe(false);
    expect(await deleteProfile(database, tenantId, 'shop')).toBe(true);
    await deleteTenantProfiles(database, { tenantId, until: new Date(0) });
    expect(await listProfiles(database.asReader(tenantId), tenantId)).toHaveLength(1);
    await deleteTenantProfiles(database, { tenantId, until: new Date(Date.now() + DAY_MS) });
    expect(await listProfiles(database, tenantId)).toEqual([]);
  });

  it('are for their hosts, near the other hosts of the domain, and far from all else', async () => {
    await put([{ name: 's', value: '1', domain: 'shop.example.com' }]);
    const login = await open();
    const of = (host: string) => {
      const url = new URL(`https://${host}/`);
      return [login?.isFor(url), login?.isNear(url)];
    };
    expect(of('shop.example.com')).toEqual([true, true]);
    expect(of('www.example.com')).toEqual([false, true]);
    expect(of('example.org')).toEqual([false, false]);
  });

  it('are encrypted, and a copy of a box is no login of another profile', async () => {
    await put();
    await put('s=other', 'more');
    const [row] = await database.query(
      adHocStatement(
        `SELECT string_agg(profiles::text || encode(box, 'escape'), ' ') AS all FROM profiles`,
      ),
    );
    expect(String(row?.['all'])).not.toContain('CANARY');
    await database.query(
      adHocStatement(`UPDATE profiles SET box = (SELECT box FROM profiles WHERE name = 'shop')`),
    );
    expect(await header()).toBe('s=CANARY');
    expect(await open('more')).toBeNull();
    expect(problems).toEqual(['a profile cannot be opened']);
  });

  it('are opened by an older key, and go over to the first with their next use', async () => {
    await put();
    expect(await open('shop', boxOf(2))).toBeNull();
    expect(problems).toEqual(['a profile is encrypted with a key that is not in PROFILE_KEYS']);
    await (await open('shop', boxOf(2, 1)))?.used(SITE, []);
    expect((await open('shop', boxOf(2)))?.headerFor(SITE)).toBe('s=CANARY');
    expect(await open('shop', boxOf(1))).toBeNull();
  });

  it('are used on, by the cookies that the site sets, at once', async () => {
    await put();
    await (await open())?.used(SITE, ['s=2']);
    expect(await header()).toBe('s=2');
    await (await open())?.used(SITE, ['s=3; Max-Age=60']);
    expect(await header()).toBe('s=3');
    const { expiresAt, usedAt } = (await findProfile(database, tenantId, 'shop')) ?? {};
    expect((expiresAt?.getTime() ?? 0) - (usedAt?.getTime() ?? 0)).toBeLessThan(61_000);
  });

  it('are noted as used once a minute where the values stay', async () => {
    await put();
    const use = async (...lines: string[]) => {
      await (await open())?.used(SITE, lines);
      const stored = await findLogin(database, { tenantId, name: 'shop' });
      return [stored?.usedAt?.getTime(), stored?.box.toString('hex')];
    };
    const first = await use();
    expect(await use()).toEqual(first);
    expect(await use('s=CANARY; Max-Age=60')).toEqual(first);
    await usedLongAgo();
    const [later, box] = await use();
    expect([(later ?? 0) >= (first[0] ?? 0), box]).toEqual([true, first[1]]);
    await usedLongAgo();
    expect((await use('s=CANARY; Max-Age=60'))[1]).not.toBe(box);
  });

  it('that one page has changed are replaced by no other that was open meanwhile', async () => {
    await put();
    const pages = [await open(), await open(), await open()];
    await pages[0]?.used(SITE, []);
    await pages[1]?.used(SITE, ['s=2']);
    await pages[2]?.used(SITE, ['s=3']);
    await pages[0]?.used(SITE, []);
    expect(await header()).toBe('s=2');
  });

  it('of a login by actions are sealed only whole, and never without a key', () => {
    const id = { tenantId, name: 'shop' };
    const sealer = (box: ProfileBox) =>
      new OpenProfiles({ database, box, days: 30, onProblem: () => undefined }).sealLogin(id);
    const many = (count: number, domain: string) =>
      Array.from({ length: count }, (_, n) => ({
        ...{ name: `c${n}`, value: '1', domain, path: '/', secure: false, httpOnly: false },
      }));
    const seal = sealer(boxOf(1));
    const ofOthers = many(500, '.b.example');
    expect(seal?.([SITE.href], [...ofOthers, ...many(100, 'a.example')])).not.toBeNull();
    expect(seal?.([SITE.href], many(101, 'a.example'))).toBeNull();
    expect(seal?.([SITE.href], ofOthers)).toBeNull();
    expect(sealer(new ProfileBox([]))).toBeNull();
  });

  it('stay as they are where the site takes all cookies back', async () => {
    await put();
    await (await open())?.used(SITE, ['s=; Max-Age=0']);
    expect(await header()).toBe('s=CANARY');
  });

  it('saved meanwhile are replaced by nothing that was read before', async () => {
    await put();
    const before = await open();
    await put('s=new');
    await before?.used(SITE, ['s=old']);
    await before?.expired();
    expect(await header()).toBe('s=new');
    expect(await findProfile(database, tenantId, 'shop')).toMatchObject({
      ...{ usedAt: null, authExpiredAt: null },
    });
  });

  it('know that the site asked for a login again, until they are saved again', async () => {
    await put();
    await (await open())?.expired();
    const ended = await findProfile(database, tenantId, 'shop');
    expect(ended?.authExpiredAt).toBeInstanceOf(Date);
    expect(await put()).toMatchObject({ authExpiredAt: null });
  });

  it('end with their cookies, or without use, and are deleted then', async () => {
    const in60 = Math.floor(Date.now() / 1_000) + 60;
    const short = await put([{ name: 's', value: '1', expires: in60 }], 'short');
    expect(short?.expiresAt).toEqual(new Date(in60 * 1_000));
    const long = await put([{ name: 's', value: '1', expires: in60 * 2 }], 'long');
    expect(Math.round(((long?.expiresAt.getTime() ?? 0) - Date.now()) / DAY_MS)).toBe(30);
    const later = new Date((in60 + 1) * 1_000);
    expect(await sweepProfiles(database, 10, new Date())).toBe(0);
    expect(await sweepProfiles(database, 10, later)).toBe(1);
    expect((await listProfiles(database, tenantId)).map(({ name }) => name)).toEqual(['long']);
    await database.query(adHocStatement('UPDATE profiles SET expires_at = now()'));
    expect(await open('long')).toBeNull();
  });
});
