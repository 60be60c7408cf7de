import { generateKeyPairSync } from 'node:crypto';
import { SiteServer, type SiteRequest } from '@app/testing';
import { createClient, get, type ClientFixture } from '../../test/client-fixture.js';
import { H2Server, reply } from '../../test/h2-server.js';
import { rejection } from '../../test/rejection.js';
import { TEST_CA } from '../../test/tls-fixture.js';
import { botKeyId } from '../../test/verify-bot.js';
import { HeaderRefusedError } from '../forwardable-headers.js';
import { BotIdentity } from './bot-identity.js';
import { SigningKey } from './signing-keys.js';

const key = new SigningKey(generateKeyPairSync('ed25519').privateKey);
const { signRequest } = new BotIdentity('https://bot.example', [key], 'dictionary');
const NAMES = ['signature', 'signature-agent', 'signature-input'];

describe('a client that signs its requests', () => {
  let site: SiteServer;
  let signing: ClientFixture;
  let unsigned: ClientFixture;

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.end('page'));
    site.serve({
      '/to-other': ({ response }) =>
        void response.writeHead(302, { location: at('/page', 'other.example') }).end(),
      '/to-same': ({ response }) => void response.writeHead(307, { location: '/page' }).end(),
    });
    signing = createClient([site.port], { signRequest });
    unsigned = createClient([site.port]);
  });
  beforeEach(() => site.reset());
  afterAll(async () => {
    await signing.client.close();
    await unsigned.client.close();
    await site.close();
  });

  const at = (path: string, host = 'site.example') => `http://${host}:${site.port}${path}`;
  /** Of the request as it came, by the name it was sent to. */
  const keyIdOf = ({
    method,
    target,
    headers,
  }: Pick<SiteRequest, 'method' | 'target' | 'headers'>): Promise<string> => {
    const own = Object.fromEntries(NAMES.map((name) => [name, String(headers[name])]));
    return botKeyId({ method, url: `http://${headers.host}${target}`, headers: own }, [key.jwk]);
  };

  it('sends a signature of its host', async () => {
    await signing.client.fetch(get(at('/page?a=1')));
    const [request] = site.requests();
    expect(request && (await keyIdOf(request))).toBe(key.id);
  });

  it('sends it over HTTP/2, too, for the authority that it names there', async () => {
    const server = await H2Server.start((stream) => reply(stream, 'page'));
    const { client } = createClient([server.port], { signRequest, ca: [TEST_CA] });
    const url = `https://site.example:${server.port}/page`;
    expect(await client.fetch(get(url))).toMatchObject({ protocol: 'h2' });
    const [{ ':authority': host, ...headers } = {}] = server.requests;
    expect(await keyIdOf({ method: 'GET', target: '/page', headers: { ...headers, host } })).toBe(
      key.id,
    );
    await client.close();
    await server.close();
  });

  it('signs every request, also those with a body', async () => {
    await signing.client.fetch(get(at('/a'), { method: 'POST', body: 'text' }));
    await signing.client.fetch(get(at('/b'), { method: 'HEAD' }));
    const sent = site.requests();
    expect(await Promise.all(sent.map(keyIdOf))).toEqual([key.id, key.id]);
    expect(new Set(sent.map(({ headers }) => headers['signature'])).size).toBe(2);
  });

  it.each(['/to-other', '/to-same'])(
    'signs the request after a redirect anew: %s',
    async (path) => {
      await signing.client.fetch(get(at(path)));
      const sent = site.requests();
      expect(sent.map(({ headers }) => headers.host)).toEqual([
        `site.example:${site.port}`,
        path === '/to-other' ? `other.example:${site.port}` : `site.example:${site.port}`,
      ]);
      expect(await Promise.all(sent.map(keyIdOf))).toEqual([key.id, key.id]);
      expect(new Set(sent.map(({ headers }) => headers['signature-input'])).size).toBe(2);
    },
  );

  it.each(['Signature', 'signature-input', 'SIGNATURE-AGENT'])(
    'refuses a caller’s own %s, before anything is sent',
    async (name) => {
      const request = get(at('/page'), { headers: { [name]: 'sig1=:AAAA:' } });
      const refused = await rejection(signing.client.fetch(request), HeaderRefusedError);
      expect(refused.message).toBe(`Header refused: ${name} (set by the service itself)`);
      expect(site.totalRequests).toBe(0);
    },
  );

  it('sends none without a key, and then a caller may set its own', async () => {
    await unsigned.client.fetch(get(at('/page')));
    await unsigned.client.fetch(get(at('/page'), { headers: { signature: 'mine=:AAAA:' } }));
    const [first, second] = site.requests();
    expect(NAMES.filter((name) => name in (first?.headers ?? {}))).toEqual([]);
    expect(second?.headers['signature']).toBe('mine=:AAAA:');
  });
});
