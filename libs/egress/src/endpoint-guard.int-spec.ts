import { createClient, get } from '../test/client-fixture.js';
import { RawServer, redirect, responseOf } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { ScriptedResolver } from '../test/scripted-resolver.js';
import { BlockedUrlError, InvalidUrlError } from './egress-errors.js';
import { EgressGuard } from './guard.js';

const guardFor = (endpoint: string) =>
  EgressGuard.forEndpoint(endpoint, {
    resolver: new ScriptedResolver({
      'crawler.internal': ['10.0.0.7'],
      'metadata.google.internal': ['169.254.169.254'],
    }),
  });

describe('a guard of one endpoint', () => {
  it.each([
    ['http://crawler.internal:3002/v2/', 'http://crawler.internal:3002/v2/scrape?a=1', '10.0.0.7'],
    ['http://10.0.0.7:3002', 'http://10.0.0.7:3002/any', '10.0.0.7'],
    ['http://[fd00::7]:22', 'http://[fd00::7]:22/', 'fd00:0:0:0:0:0:0:7'],
    ['https://127.0.0.1', 'https://127.0.0.1:443/', '127.0.0.1'],
  ])('%s admits %s, whatever its address', async (endpoint, url, address) => {
    const guard = guardFor(endpoint);
    expect(await guard.vet(guard.parse(url))).toMatchObject({ addresses: [address] });
  });

  it.each([
    ['another port', 'http://crawler.internal:3003/'],
    ['another scheme', 'https://crawler.internal:3002/'],
    ['another host', 'http://other.internal:3002/'],
    ['its address', 'http://10.0.0.7:3002/'],
    ['a public page', 'http://93.184.216.34/'],
    ['metadata', 'http://169.254.169.254/'],
    ['credentials', 'http://a:b@crawler.internal:3002/'],
    ['its name with a root dot', 'http://crawler.internal.:3002/'],
    ['another protocol', 'ftp://crawler.internal:3002/'],
  ])('refuses %s', async (_name, url) => {
    const guard = guardFor('http://crawler.internal:3002');
    expect(() => guard.parse(url)).toThrow(BlockedUrlError);
    await rejection(guard.vet(new URL(url)), BlockedUrlError);
  });

  it.each(['ftp://a/', 'nonsense', '', 'http://u:secret@a/'])('cannot be made of %j', (text) => {
    expect(() => EgressGuard.forEndpoint(text)).toThrow(InvalidUrlError);
    try {
      EgressGuard.forEndpoint(text);
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });

  it('follows a redirect within the endpoint, and none elsewhere', async () => {
    const site = await RawServer.start((socket, head) => {
      if (head.startsWith('GET /in')) return void socket.write(redirect('/end'));
      if (head.startsWith('GET /out')) return void socket.write(redirect('http://93.184.216.34/'));
      socket.write(responseOf('end'));
    });
    const at = (path: string) => `http://127.0.0.1:${site.port}${path}`;
    const { client } = createClient([], { guard: EgressGuard.forEndpoint(at('/')) });
    expect((await client.fetch(get(at('/in')))).url).toBe(at('/end'));
    const error = await rejection(client.fetch(get(at('/out'))), BlockedUrlError);
    expect(error.stage).toBe('redirect');
    await client.close();
    await site.close();
  });
});
