import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { botIdentityOf } from '@app/egress';
import { directoryKeyIds } from '../../../../libs/egress/test/verify-bot.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

const DIRECTORY = '/.well-known/http-message-signatures-directory';
const ORIGIN = 'https://bot.example';
const pem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the public keys of signed requests', () => {
  const settings = {
    webBotAuthKeys: pem() + pem(),
    webBotAuthUrl: ORIGIN,
    webBotAuthFormat: 'dictionary',
  } as const;
  const ids = botIdentityOf({ ...settings, publicUrl: undefined })?.keys.map(({ id }) => id);
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi({ settings });
  });
  afterAll(() => api.stop());

  it('are served to everyone, signed so that public verifiers accept them for the set origin', async () => {
    const answer = await fetch(api.url + DIRECTORY, { headers: { accept: '*/*' } });
    const headers = Object.fromEntries(answer.headers);
    expect(answer.status).toBe(200);
    expect(await directoryKeyIds(ORIGIN, { headers, body: await answer.text() })).toEqual(ids);
    expect(headers).toMatchObject({
      'content-type': 'application/http-message-signatures-directory+json',
      'cache-control': 'public, max-age=3600, no-transform',
    });
  });

  it('are signed for the set origin, whatever host a request names', async () => {
    const send = (host: string): Promise<Readonly<Record<string, unknown>>> =>
      new Promise((resolve, reject) => {
        const options = { headers: { host, 'x-forwarded-host': host }, agent: false };
        const sent = request(api.url + DIRECTORY, options, (response) => {
          response.resume().once('end', () => resolve(response.headers));
        });
        sent.once('error', reject).end();
      });
    const [one, other] = [await send('bot.example'), await send('other.example')];
    expect(one['signature']).toMatch(/^key1=:/);
    expect(other['signature']).toBe(one['signature']);
  });

  it('come as bytes that were signed, to clients that accept codings too, and HEAD has their headers', async () => {
    const headers = { 'accept-encoding': 'gzip, br, zstd' };
    const [read, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(api.url + DIRECTORY, { method, headers })),
    );
    expect(read?.headers.get('content-encoding')).toBe(null);
    expect(head?.headers.get('content-digest')).toBe(read?.headers.get('content-digest'));
    expect(await head?.text()).toBe('');
    expect(await read?.text()).toMatch(/^\{"keys":\[/);
  });

  it.each(['*/*', 'application/json', 'application/http-message-signatures-directory+json'])(
    'are also those of the origin itself, for verifiers that fetch it as it is: %s',
    async (accept) => {
      const listed: unknown = await (await fetch(api.url + DIRECTORY)).json();
      const answer = await fetch(api.url, { headers: { accept } });
      expect(await answer.json()).toMatchObject({ service: 'trawl', ...(listed as object) });
    },
  );

  it('have no private half', async () => {
    const { keys } = (await (await fetch(api.url + DIRECTORY)).json()) as { keys: object[] };
    const names = ['crv', 'kid', 'kty', 'use', 'x'];
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([names, names]);
  });

  it.each([
    ['/v1/scrape', { url: 'http://127.0.0.1:1024/' }],
    ['/v1/batch', { urls: ['http://127.0.0.1:1024/'] }],
    ['/v1/batch', { urls: ['http://127.0.0.1:1024/'], async: true }],
  ])('%s %j takes no signature of a caller', async (path, body) => {
    const headers = { 'Signature-Agent': 'sig1="https://bot.example"' };
    const answer = await api.client.call('POST', path, { ...body, headers });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: '`headers`: Header refused: signature-agent (set by the service itself)' },
    });
  });

  it('/v1/crawl takes no signature of a caller', async () => {
    const scrapeOptions = { headers: { signature: 'sig1=:AAAA:' } };
    const answer = await api.client.call('POST', '/v1/crawl', {
      url: 'http://127.0.0.1:1024/',
      scrapeOptions,
    });
    expect(answer).toMatchObject({ status: 400 });
    expect(JSON.stringify(answer.body)).toContain('Header refused: signature (set by');
  });

  it('have no path without a key, and callers may then send a signature', async () => {
    const without = await startTestApi();
    const answer = await fetch(without.url + DIRECTORY);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: expect.any(String) },
    ]);
    expect(await (await fetch(without.url)).json()).not.toHaveProperty('keys');
    const tasks = await without.fakeFetcher<{ fetch: { headers: object } }>('scrape', () => ({}));
    const headers = { Signature: 'mine=:AAAA:' };
    await without.client.call('POST', '/v1/scrape', { url: 'http://127.0.0.1:1024/', headers });
    expect(tasks[0]?.fetch.headers).toEqual({ signature: 'mine=:AAAA:' });
    await without.stop();
  });
});
