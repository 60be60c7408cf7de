import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync, zstdCompressSync } from 'node:zlib';
import { downloadUrl } from '@app/blobs';
import { until } from '@app/testing';
import { MAX_LONG_ANSWERS_PER_TENANT } from '../../http/long-answers.js';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';
import { rawFrame } from '../../../../../libs/jobs/src/results/zstd-frames.js';

const DOCUMENTS = Array.from({ length: 300 }, (_, n) =>
  JSON.stringify({ n, text: `é ${n} `.repeat(n) }),
);
const TEXT = `[${DOCUMENTS.join(',\n')}]\n`;
const PACKED = Buffer.concat([
  rawFrame('['),
  ...DOCUMENTS.flatMap((text, n) => [
    ...(n === 0 ? [] : [rawFrame(',\n')]),
    zstdCompressSync(Buffer.from(text)),
  ]),
  rawFrame(']\n'),
]);

describe('GET /downloads', () => {
  let api: StartedApi;

  beforeAll(async () => {
    api = await startTestApi();
    await api.blobs.put('jobs/t/j/results-1.json.zst', PACKED);
    await api.blobs.put('jobs/t/j/results-0.json', Buffer.from(TEXT));
    await api.blobs.put('jobs/t/j/results-2.json.zst', PACKED.subarray(0, PACKED.length - 3));
    await api.blobs.put('jobs/other/j/results-1.json.zst', PACKED);
  });
  afterAll(() => api.stop());

  const link = (key: string, expiresInSeconds = 60) =>
    downloadUrl(
      { key, fileName: 'crawl-j.json', contentType: 'application/json' },
      { publicUrl: api.url, secret: new Uint8Array(32), expiresInSeconds },
    );

  async function open(url: string, accept?: string, method = 'GET'): Promise<IncomingMessage> {
    const headers = accept === undefined ? {} : { 'accept-encoding': accept };
    const [response] = (await once(get(url, { headers, method }), 'response')) as [IncomingMessage];
    return response;
  }
  const bodyOf = async (response: IncomingMessage) =>
    Buffer.concat((await response.toArray()) as Buffer[]);

  describe('of a packed result file', () => {
    it.each([
      ['zstd, gzip', 'gzip', async (bytes: Buffer) => gunzipSync(bytes).toString()],
      ['zstd', undefined, async (bytes: Buffer) => bytes.toString()],
      ['gzip, deflate', 'gzip', async (bytes: Buffer) => gunzipSync(bytes).toString()],
      ['identity', undefined, async (bytes: Buffer) => bytes.toString()],
      [undefined, undefined, async (bytes: Buffer) => bytes.toString()],
    ])('answers %p in %p, with the same text', async (accept, coding, decoded) => {
      const response = await open(link('jobs/t/j/results-1.json.zst'), accept);
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'application/json',
        'content-disposition': expect.stringContaining('attachment; filename="crawl-j.json"'),
        vary: 'accept-encoding',
        'cache-control': 'private, no-store',
      });
      expect(response.headers['content-encoding']).toBe(coding);
      expect(await decoded(await bodyOf(response))).toBe(TEXT);
    });

    it.each(['gzip', 'identity'])(
      'cuts off %s where the file is truncated, without a valid end',
      async (accept) => {
        const response = await open(link('jobs/t/j/results-2.json.zst'), accept);
        await expect(bodyOf(response)).rejects.toThrow('aborted');
      },
    );

    it('stops reading when the client disconnects', async () => {
      const response = await open(link('jobs/t/j/results-1.json.zst'), 'gzip');
      response.destroy();
      await until(async () => (await openConnections(api)) === 0, {
        what: 'the connection to end',
      });
    });

    it.each(['gzip', 'identity'])('responds to HEAD for %s without a body', async (accept) => {
      const response = await open(link('jobs/t/j/results-1.json.zst'), accept, 'HEAD');
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('application/json');
      expect(await bodyOf(response)).toHaveLength(0);
    });
  });

  it('are limited per account, and a slot is released when its reader leaves', async () => {
    // More than sockets buffer: an unread response is still in progress.
    await api.blobs.put('jobs/t/j/results-4.json', Buffer.alloc(32 * 1024 * 1024, 'a'));
    const opened: IncomingMessage[] = [];
    const openLarge = async (method = 'GET'): Promise<IncomingMessage> => {
      const response = await open(link('jobs/t/j/results-4.json'), undefined, method);
      opened.push(response.once('error', () => undefined));
      return response;
    };
    for (let n = 0; n < MAX_LONG_ANSWERS_PER_TENANT; n++)
      expect((await openLarge()).statusCode).toBe(200);
    const refused = await openLarge();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(JSON.parse(String(await bodyOf(refused)))).toEqual({
      error:
        'Rate limit exceeded: 20 concurrent streamed answers per account. Retry after reading one of them.',
    });
    // Other tenants have their own slots, and HEAD needs none.
    expect((await open(link('jobs/other/j/results-1.json.zst'))).statusCode).toBe(200);
    expect((await openLarge('HEAD')).statusCode).toBe(200);
    opened[0]?.destroy();
    await until(async () => (await openLarge()).statusCode === 200, { what: 'a free place' });
    for (const response of opened) response.destroy();
  });

  it('serves the plain result file of an old job as stored', async () => {
    const response = await open(link('jobs/t/j/results-0.json'), 'zstd, gzip');
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(TEXT)));
    expect((await bodyOf(response)).toString()).toBe(TEXT);
  });

  it('rejects a token used for another key', async () => {
    const own = new URL(link('jobs/t/j/results-1.json.zst')).pathname.split('/').at(-1) ?? '';
    const [payload = '', mac = ''] = own.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(
      JSON.stringify({ ...claims, key: 'jobs/other/j/results-1.json.zst' }),
    ).toString('base64url');
    for (const token of [`${forged}.${mac}`, `${forged}.`, forged, `${payload}.`, `${own}x`])
      expect((await open(`${api.url}/downloads/${token}`)).statusCode).toBe(403);
  });

  it('rejects an expired link, and one to a deleted file', async () => {
    expect((await open(link('jobs/t/j/results-1.json.zst', -1))).statusCode).toBe(403);
    expect((await open(link('jobs/t/j/results-9.json.zst'))).statusCode).toBe(404);
  });
});

function openConnections({ server }: StartedApi): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
