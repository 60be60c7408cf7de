import type { Answer, TrawlClient } from '@app/testing';
import { adHocStatement } from '@app/testing';
import { MODES } from './deployment.js';
import { LOGIN_KINDS, LoginSite, PASSWORD } from './login-site.js';
import { share, type SharedService } from './shared-cluster.js';

const GOOD = 'CANARY-opensesame-5b1f';
const STALE = 'CANARY-yesterday-77ac';
const CANARY = /CANARY-/;

describe.each(MODES)('a site that asks for a login, %s', (mode) => {
  let service: SharedService;
  let client: TrawlClient;
  let site: LoginSite;

  beforeAll(async () => {
    site = await LoginSite.start();
    service = await share(mode);
    ({ client } = service);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  let profiles = 0;
  const save = async (value: string, more: object = {}): Promise<string> => {
    const name = `p${profiles++}`;
    const put = await client.call('PUT', `/v1/profiles/${name}`, {
      ...{ cookies: [site.cookie(value)] },
      ...more,
    });
    expect(put).toMatchObject({
      status: 200,
      body: { name, state: 'active', cookieNames: ['sid'] },
    });
    return name;
  };
  const stateOf = async (name: string): Promise<unknown> =>
    ((await client.call('GET', `/v1/profiles/${name}`)).body as { state: unknown }).state;
  const scrape = (path: string, more: object): Promise<Answer> =>
    client.scrape({ url: site.server.url(path), ...more });

  describe.each(Object.keys(LOGIN_KINDS).map((kind, n) => [kind, n] as const))('by %s', (_, n) => {
    it('is read with the cookies of a profile, and named where they are none any more', async () => {
      site.good = GOOD;
      const good = await save(GOOD);
      const read = await scrape(`/in/${n}/1`, { profile: good });
      expect(read).toMatchObject({
        status: 200,
        body: { markdown: expect.stringContaining('Members read this text') },
      });
      expect(await stateOf(good)).toBe('active');
      const stale = await save(STALE);
      const refused = await scrape(`/in/${n}/1`, { profile: stale });
      expect(refused).toMatchObject({
        status: 422,
        body: { ok: false, error: expect.stringContaining('auth_expired') },
      });
      expect(read.headers.get('x-credits-consumed')).toBe('1');
      expect(refused.headers.get('x-credits-consumed') ?? '0').toBe('0');
      expect(await stateOf(stale)).toBe('auth_expired');
      expect(JSON.stringify([read.body, refused.body])).not.toMatch(CANARY);
    });
  });

  it('is rendered with them, too', async () => {
    site.good = GOOD;
    const others = [
      { name: '__Host-h', value: '1', domain: '127.0.0.1', secure: true },
      { name: '__Secure-s', value: '1', domain: '.a.example', secure: true, sameSite: 'None' },
      {
        name: 'x',
        value: 'a "quoted" word',
        domain: '127.0.0.1',
        sameSite: 'Strict',
        expires: 4e9,
      },
    ];
    const profile = `rendered-${mode}`;
    const cookies = [site.cookie(GOOD), ...others];
    expect((await client.call('PUT', `/v1/profiles/${profile}`, { cookies })).status).toBe(200);
    expect(await scrape('/in/0/1', { profile, forceHeadless: true })).toMatchObject({
      status: 200,
      body: { markdown: expect.stringContaining('Members read') },
    });
    // The next page in that browser is a stranger's.
    const stranger = await scrape('/in/0/1', { forceHeadless: true });
    expect(JSON.stringify(stranger.body)).not.toContain('Members read');
  });

  it('is crawled, and what it shows after the login has ended is failed pages that cost nothing', async () => {
    site.good = GOOD;
    const profile = await save(GOOD);
    const crawl = async () => {
      const start = { url: site.server.url('/in/0/0'), limit: 20, allowBackwardLinks: true };
      const { jobId } = await client.crawl({
        ...start,
        sitemap: 'skip',
        scrapeOptions: { profile },
      });
      return { jobId, view: await client.waitForEnd(jobId) };
    };
    const { jobId, view } = await crawl();
    expect(view).toMatchObject({ status: 'completed', pages_scraped: 10 });
    const results = await client.results(jobId);
    expect(results.every(({ markdown }) => markdown?.includes('Members read'))).toBe(true);
    site.good = 'another';
    const later = await crawl();
    expect(later.view).toMatchObject({ pages_scraped: 0 });
    const report = await client.call('GET', `/v1/crawl/${later.jobId}/urls`);
    expect(report.text).toContain('auth_expired');
    expect(await stateOf(profile)).toBe('auth_expired');
    const shown = await client.call('GET', `/v1/jobs/${later.jobId}`);
    expect(`${report.text}${shown.text}${JSON.stringify(results)}`).not.toMatch(CANARY);
  });

  it.each([{}, { forceHeadless: true }])('tells no other host of them (%j)', async (way) => {
    site.good = GOOD;
    const profile = await save(GOOD);
    await scrape('/away', { profile, ...way });
    const foreign = site.other.requests();
    expect(foreign.some(({ path }) => path.startsWith('/landing'))).toBe(true);
    expect(JSON.stringify(foreign)).not.toMatch(CANARY);
    expect(await client.scrape({ url: site.other.url('/x'), profile })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('127.0.0.1') },
    });
  });

  it('is neither read from the cache nor kept in it', async () => {
    site.good = GOOD;
    const profile = await save(GOOD);
    const path = '/in/5/7';
    const before = site.server.count(path);
    const maxAge = 60_000;
    for (let time = 0; time < 2; time++)
      expect((await scrape(path, { profile, maxAge })).status).toBe(200);
    expect(site.server.count(path)).toBe(before + 2);
    const stranger = await scrape(path, { maxAge });
    expect(JSON.stringify(stranger.body)).not.toContain('Members read');
    const again = await scrape(path, { profile, maxAge });
    expect(again.body).toMatchObject({ markdown: expect.stringContaining('Members read') });
  });

  it('is used by its account alone, under its name, with keys and one kind of cookies', async () => {
    const profile = await save(GOOD);
    const other = await service.otherTenant();
    const url = site.server.url('/in/0/1');
    const none = { status: 404, body: { error: expect.stringContaining('Profile not found') } };
    expect(await other.scrape({ url, profile })).toMatchObject(none);
    expect(await other.call('GET', `/v1/profiles/${profile}`)).toMatchObject(none);
    expect(await other.call('DELETE', `/v1/profiles/${profile}`)).toMatchObject(none);
    expect(await client.scrape({ url, profile: 'nobody' })).toMatchObject(none);
    expect(
      await client.call('POST', '/v1/crawl', { url, scrapeOptions: { profile: 'nobody' } }),
    ).toMatchObject(none);
    expect(
      await client.call('POST', '/v1/batch', { urls: [url], profile: 'nobody' }),
    ).toMatchObject(none);
    expect((await client.scrape({ url, profile, cookies: 'a=1' })).status).toBe(400);
    expect(
      (await client.call('POST', '/v2/scrape', { url, profile: { name: profile } })).status,
    ).toBe(400);
    expect((await client.call('PUT', '/v1/profiles/a%20b', { cookies: 'a=1' })).status).toBe(400);
    const listed = await client.call('GET', '/v1/profiles');
    expect(listed.body).toMatchObject({
      profiles: expect.arrayContaining([expect.objectContaining({ name: profile })]),
    });
    expect(listed.text).not.toMatch(CANARY);
    expect((await client.call('DELETE', `/v1/profiles/${profile}`)).status).toBe(200);
    expect(await client.scrape({ url, profile })).toMatchObject(none);
  });

  describe('is logged in to by actions', () => {
    const logIn = (name: string, password: string, more: object = {}): Promise<Answer> =>
      client.call('PUT', `/v1/profiles/${name}`, {
        url: site.server.url('/login'),
        actions: [
          { type: 'write', selector: '[name=user]', text: 'ada' },
          { type: 'write', selector: '[name=p]', text: password },
          { type: 'click', selector: 'button' },
          { type: 'wait', selector: 'h1', ms: 10_000 },
        ],
        ...more,
      });

    it('whose cookies are kept, and nothing else', async () => {
      site.good = GOOD;
      const put = await logIn('typed', PASSWORD);
      expect(put).toMatchObject({
        status: 200,
        body: {
          state: 'active',
          cookieNames: ['sid'],
          hosts: ['127.0.0.1'],
          url: site.server.url('/login'),
        },
      });
      expect(put.headers.get('x-credits-consumed')).toBe('1');
      expect(put.text).not.toMatch(CANARY);
      const lifeMs = Date.parse((put.body as { expiresAt: string }).expiresAt) - Date.now();
      expect(lifeMs).toBeLessThanOrEqual(3_600_000);
      expect(await scrape('/in/0/4', { profile: 'typed' })).toMatchObject({
        status: 200,
        body: { markdown: expect.stringContaining('Members read') },
      });
    });

    it('which have to succeed', async () => {
      const put = await logIn('mistyped', `${PASSWORD.slice(0, -1)}!`);
      expect(put).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining('still asks for a password') },
      });
      expect(put.text).not.toMatch(CANARY);
      expect((await client.call('GET', '/v1/profiles/mistyped')).status).toBe(404);
      const cookies = [site.cookie(GOOD)];
      expect((await logIn('both', PASSWORD, { cookies })).status).toBe(400);
      expect((await logIn('nowhere', PASSWORD, { url: null })).status).toBe(400);
    });
  });

  it('has told nobody of its cookies: no log, no row', async () => {
    const bad = [{ name: 'sid', value: `${GOOD}\n`, domain: '127.0.0.1' }];
    const refused = await client.call('PUT', '/v1/profiles/bad', { cookies: bad });
    expect(refused.status).toBe(400);
    expect(refused.text).not.toMatch(CANARY);
    const list = `SELECT c.oid::regclass::text AS name FROM pg_class c
                  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`;
    const tables = await service.database.query<{ name: string }>(adHocStatement(list));
    expect(tables.map(({ name }) => name)).toContain('profiles');
    for (const { name } of tables) {
      const text = `SELECT count(*)::int AS rows FROM ${name} t WHERE t::text LIKE '%CANARY-%'`;
      expect([name, await service.database.query(adHocStatement(text))]).toEqual([
        name,
        [{ rows: 0 }],
      ]);
    }
    expect(service.apiLog(() => true).length).toBeGreaterThan(0);
    for (const app of service.apps)
      expect(app.process.log((line) => CANARY.test(JSON.stringify(line)))).toEqual([]);
  });
});
