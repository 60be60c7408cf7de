import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describeBlobStore } from './blob-store.contract.js';
import { openBlobStore } from './open-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';

const storageUrl = process.env.TEST_STORAGE_URL ?? '';
if (storageUrl === '') {
  throw new Error(
    'TEST_STORAGE_URL is not set. These tests need a real S3 store such as MinIO: start one and run with ' +
      'TEST_STORAGE_URL=s3+http://ACCESS:SECRET@127.0.0.1:9000/test-bucket',
  );
}

/** The store of the environment, below a prefix of its own. */
function newUrl(bucket?: string): string {
  const url = new URL(storageUrl);
  url.pathname = `${bucket === undefined ? url.pathname.replace(/(?<!\/)\/+$/, '') : `/${bucket}`}/${randomUUID()}`;
  return url.href;
}

describeBlobStore('S3BlobStore', async (events) => new S3BlobStore({ url: newUrl(), events }));

describe('S3BlobStore', () => {
  it('creates a missing bucket, also when several ask at once', async () => {
    const bucket = `test-${randomUUID()}`;
    const stores = [1, 2, 3, 4].map(() => new S3BlobStore({ url: newUrl(bucket) }));
    expect(await stores[0]?.head('x')).toBeNull();
    await expect(stores[0]?.get('x')).rejects.toMatchObject({ name: 'BlobNotFoundError' });
    await Promise.all([
      ...stores.map((store) => store.put('x', Buffer.from('x'))),
      ...stores.map((store) => store.put('y', Readable.from([Buffer.from('y')]))),
      ...stores.map((store) => store.ping()),
    ]);
    for (const store of stores) {
      expect((await store.read('x', undefined, 10)).toString()).toBe('x');
      await store.close();
    }
  });

  it('keeps type and encoding', async () => {
    const store = new S3BlobStore({ url: newUrl() });
    await store.put('x', Buffer.from('x'), {
      contentType: 'text/markdown',
      contentEncoding: 'gzip',
    });
    expect(await store.head('x')).toEqual({ bytes: 1, contentType: 'text/markdown' });
    await store.close();
  });

  it('signs links that every holder can download from and none can change', async () => {
    const store = openBlobStore({
      url: newUrl(),
      publicUrl: 'https://api',
      downloadSecret: Buffer.from('s'),
    });
    await store.put('jobs/1/results.json', Buffer.from('{}'));
    const url = await store.signedUrl('jobs/1/results.json', {
      expiresInSeconds: 60,
      fileName: 'ä results.json',
      contentType: 'application/json',
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''%C3%A4%20results.json",
    );
    expect((await fetch(url.replace('results.json', 'other.json'))).status).toBe(403);
    await store.close();
  });

  it('signs for the address clients reach', async () => {
    const store = new S3BlobStore({ url: newUrl(), publicStorageUrl: 'https://files.example' });
    const options = { expiresInSeconds: 60, fileName: 'x', contentType: 'text/plain' };
    expect(await store.signedUrl('x', options)).toMatch(/^https:\/\/files\.example\/[^?]+\/x\?/);
    await store.close();
  });

  it('refuses a wrong secret without calling it a passing trouble', async () => {
    const url = new URL(newUrl());
    url.password = 'wrong-secret';
    const store = new S3BlobStore({ url: url.href });
    await expect(store.put('x', Buffer.from('x'))).rejects.toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
    await store.close();
  });
});

describe('S3BlobStore in front of a store in trouble', () => {
  const servers: Server[] = [];
  const opened: S3BlobStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });

  async function storeAt(listener: RequestListener): Promise<S3BlobStore> {
    const server = createServer({ keepAliveTimeout: 60_000 }, listener);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const store = new S3BlobStore({ url: `s3+http://K:S@127.0.0.1:${port}/bucket` });
    opened.push(store);
    return store;
  }

  it.each([
    [
      'is busy',
      (_: IncomingMessage, answer: ServerResponse) => answer.writeHead(503).end('<Error/>'),
    ],
    ['hangs up', (request: IncomingMessage) => request.socket.resetAndDestroy()],
  ])('tries again while it %s', async (_, fail) => {
    let requests = 0;
    const store = await storeAt((request, answer) => {
      if (++requests < 3) return fail(request, answer);
      request.resume().on('end', () => answer.writeHead(200, { etag: '"e"' }).end());
    });
    expect(await store.put('x', Buffer.alloc(200_000))).toEqual({ bytes: 200_000 });
    expect(requests).toBe(3);
  });

  it('gives up in the end and reports a temporary error', async () => {
    const store = await storeAt((_, answer) => answer.writeHead(503).end('<Error/>'));
    await expect(store.put('x', Buffer.from('x'))).rejects.toMatchObject({
      name: 'BlobUnavailableError',
    });
    await expect(store.put('x', Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      name: 'BlobUnavailableError',
    });
    await expect(store.ping()).rejects.toMatchObject({ name: 'BlobUnavailableError' });
  });

  it('does not run out of connections when every answer is busy', async () => {
    const sockets = new Set<unknown>();
    const store = await storeAt((request, answer) => {
      sockets.add(request.socket);
      request.resume().on('end', () => answer.writeHead(503).end('busy'));
    });
    const puts = Array.from({ length: 150 }, () => store.put('x', Buffer.from('x')));
    const results = await Promise.allSettled(puts);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sockets.size).toBeLessThanOrEqual(64);
  });

  it('reports the same if no server listens', async () => {
    const store = new S3BlobStore({ url: 's3+http://K:S@127.0.0.1:1/bucket' });
    await expect(store.head('x')).rejects.toMatchObject({ name: 'BlobUnavailableError' });
    await store.close();
  });

  it('reads again when the body breaks off', async () => {
    let requests = 0;
    const store = await storeAt((_, answer) => {
      answer.writeHead(200, { 'content-length': '10' }).write('12345');
      if (++requests < 2) setImmediate(() => answer.destroy());
      else answer.end('67890');
    });
    expect((await store.read('x', undefined, 10)).toString()).toBe('1234567890');
  });

  it('sends a put as one request, with only its own bytes', async () => {
    const seen: string[] = [];
    const store = await storeAt((request, answer) => {
      const {
        'content-length': length,
        'content-md5': md5,
        'x-amz-content-sha256': sha256,
      } = request.headers;
      seen.push(`${request.method} ${request.url} ${length} ${md5} ${sha256}`);
      request.resume().on('end', () => answer.writeHead(200, { etag: '"e"' }).end());
    });
    await store.put('jobs/1/s', Buffer.alloc(4_000_000));
    expect(seen).toEqual(['PUT /bucket/jobs/1/s 4000000 undefined UNSIGNED-PAYLOAD']);
  });
});
