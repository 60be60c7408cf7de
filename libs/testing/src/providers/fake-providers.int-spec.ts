import { startLeakCheck, type LeakCheck } from '../leak-check.js';
import { SiteServer } from '../site/site-server.js';
import { startFakeHostedCrawler } from './fake-hosted-crawler.js';
import { startFakeUnblockProvider } from './fake-unblock-provider.js';

let leaks: LeakCheck;
beforeEach(() => (leaks = startLeakCheck()));
afterEach(() => leaks.assertClean());

describe('the fake unblock provider', () => {
  it('brings a page of this machine, and a canned one of anywhere else', async () => {
    const site = await SiteServer.start(
      ({ response }) => void response.end('<p>from the site</p>'),
    );
    const fake = await startFakeUnblockProvider();
    const ask = async (url: string) => {
      const filled = `${new URL(fake.getUrl).origin}/fetch?key=${fake.key}&url=${encodeURIComponent(url)}`;
      return (await fetch(filled)).text();
    };
    expect(await ask(site.url())).toBe('<p>from the site</p>');
    expect(await ask('https://elsewhere.example/')).toContain('A canned page');
    expect(fake.requests).toHaveLength(2);
    await fake.close();
    await site.close();
  });

  it.each<[string, string, Record<string, string>]>([
    ['its switch', '/fetch', {}],
    ['a path', '/mode/429/fetch', {}],
    ['a header', '/fetch', { 'x-fake-mode': '429' }],
  ])('fails by %s', async (by, path, headers) => {
    const fake = await startFakeUnblockProvider();
    if (by === 'its switch') fake.mode = '429';
    const { origin } = new URL(fake.getUrl);
    const answer = await fetch(`${origin}${path}?key=${fake.key}&url=http://x.example/`, {
      headers,
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    await answer.text();
    await fake.close();
  });

  it('refuses a wrong key', async () => {
    const fake = await startFakeUnblockProvider();
    const answer = await fetch(`${new URL(fake.getUrl).origin}/fetch?key=no&url=http://x.example/`);
    expect(answer.status).toBe(401);
    await answer.text();
    await fake.close();
  });
});

describe('the fake hosted crawler', () => {
  const good = { url: 'https://site.example/', formats: ['rawHtml'], timeout: 5_000 };

  it.each<[number, string, object | string, string]>([
    [200, 'what the contract allows', { ...good, waitFor: 2_500, location: { country: 'DE' } }, ''],
    [400, 'no address', { ...good, url: undefined }, ''],
    [400, 'another scheme', { ...good, url: 'ftp://x/' }, ''],
    [400, 'an unknown format', { ...good, formats: ['pdf'] }, ''],
    [400, 'an unknown field', { ...good, wait: 1 }, ''],
    [400, 'a wait of more than half of the time', { ...good, waitFor: 2_501 }, ''],
    [400, 'too short a time', { ...good, timeout: 999 }, ''],
    [400, 'a time that is no whole number', { ...good, timeout: 1_000.5 }, ''],
    [400, 'a country in lower case', { ...good, location: { country: 'de' } }, ''],
    [400, 'no JSON', '{', ''],
    [401, 'a wrong key', good, 'wrong'],
  ])('answers %d to %s', async (status, _case, body, key) => {
    const crawler = await startFakeHostedCrawler();
    const answer = await fetch(`${crawler.baseUrl}/v2/scrape`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key || crawler.key}`,
        'content-type': 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    expect(answer.status).toBe(status);
    const json = (await answer.json()) as { success: boolean };
    expect(json.success).toBe(status === 200);
    expect(crawler.scrapes).toHaveLength(status === 200 ? 1 : 0);
    await crawler.close();
  });
});
