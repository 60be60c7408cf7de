import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { until } from '@app/testing';
import type { BlobStoreEvents } from './blob-events.js';
import {
  describeFolders,
  describeKeys,
  listed,
  readText,
  type StartBlobStore,
} from './blob-key.contract.js';
import type { BlobStore } from './blob-store.js';

/** Opens an empty store. */
export type OpenBlobStoreForTest = (events?: BlobStoreEvents) => Promise<BlobStore>;

const MEGABYTE = 1024 * 1024;

/** The contract of every adapter of {@link BlobStore}. The suite closes opened stores. */
export function describeBlobStore(name: string, open: OpenBlobStoreForTest): void {
  describe(`${name} as a blob store`, () => {
    const opened: BlobStore[] = [];
    const started = async (events?: BlobStoreEvents): Promise<BlobStore> => {
      const store = await open(events);
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });

    describeWriting(started);
    describeReading(started);
    describeFolders(started);
    describeKeys(started);
  });
}

function describeWriting(start: StartBlobStore): void {
  it.each([
    ['nothing', 0],
    ['one byte', 1],
    ['a segment of crawl results', 200_000],
    ['more than a part of an upload', 9 * MEGABYTE],
  ])('keeps %s, given as bytes or as a stream', async (_, bytes) => {
    const store = await start();
    const body = randomBytes(bytes);
    expect(await store.put('as/bytes', body)).toEqual({ bytes });
    expect(await store.put('as/stream', Readable.from(inChunks(body)))).toEqual({ bytes });
    for (const key of ['as/bytes', 'as/stream']) {
      expect((await store.read(key, undefined, 10 * MEGABYTE)).equals(body)).toBe(true);
      expect(await store.head(key)).toMatchObject({ bytes });
    }
  });

  it('stores a stream of 24 MB of unknown size, and of exactly three parts', async () => {
    const store = await start();
    const piece = randomBytes(MEGABYTE);
    const hash = createHash('sha256');
    const pieces = Array.from({ length: 24 }, (_, index) => {
      piece.writeUInt32BE(index);
      hash.update(piece);
      return Buffer.from(piece);
    });
    expect(await store.put('large', Readable.from(pieces))).toEqual({ bytes: 24 * MEGABYTE });
    expect(await hashOf(await store.get('large'))).toBe(hash.digest('hex'));
  });

  it('stores only the part of a buffer that a view shows', async () => {
    const store = await start();
    const view = new Uint8Array(Buffer.from('before|the view|after').buffer.slice(0), 0);
    const from = Buffer.from(view).indexOf('the view');
    await store.put('view', view.subarray(from, from + 8));
    expect(await readText(store, 'view')).toBe('the view');
  });

  it('accepts a stream of strings', async () => {
    const store = await start();
    await store.put('strings', Readable.from(['ä', 'ö', '✓']));
    expect(await readText(store, 'strings')).toBe('äö✓');
  });

  it('replaces a blob', async () => {
    const store = await start();
    await store.put('a/b', Buffer.from('a long first version'));
    await store.put('a/b', Buffer.from('second'));
    expect(await readText(store, 'a/b')).toBe('second');
  });

  it('shows one of the versions when several are put at once, never a mixture', async () => {
    const store = await start();
    const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index));
    await Promise.all(versions.map((body) => store.put('contended', body)));
    const kept = await store.read('contended', undefined, MEGABYTE);
    expect(versions.some((version) => version.equals(kept))).toBe(true);
  });

  it('shows one of the streams when two large ones are put at once', async () => {
    const store = await start();
    const versions = [1, 2].map((fill) => Buffer.alloc(17 * MEGABYTE, fill));
    await Promise.all(
      versions.map((body) => store.put('contended', Readable.from(inChunks(body)))),
    );
    const kept = await store.read('contended', undefined, 20 * MEGABYTE);
    expect(versions.some((version) => version.equals(kept))).toBe(true);
  });

  it('puts many blobs at once', async () => {
    const store = await start();
    const keys = Array.from({ length: 100 }, (_, index) => `many/${index}`);
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))));
    expect(await Promise.all(keys.map((key) => readText(store, key)))).toEqual(keys);
  });

  it.each([
    ['small', 1],
    ['large', 20],
  ])('keeps nothing, and the old version, when a %s stream breaks', async (_, pieces) => {
    const store = await start();
    await store.put('old', Buffer.from('old'));
    const broken = new Error('source broke');
    await expect(store.put('old', breaking(pieces, broken))).rejects.toBe(broken);
    await expect(store.put('new', breaking(pieces, broken))).rejects.toBe(broken);
    expect(await readText(store, 'old')).toBe('old');
    expect(await listed(store, '')).toEqual([{ key: 'old', bytes: 3 }]);
  });

  it.each([2, 4])(
    'keeps nothing when a stream has other than the %d bytes it promised',
    async (contentLength) => {
      const store = await start();
      const body = Readable.from([Buffer.from('abc')]);
      await expect(store.put('x', body, { contentLength })).rejects.toMatchObject({
        name: 'BlobLengthError',
      });
      expect(await store.head('x')).toBeNull();
    },
  );

  it('reports operations and bytes for the metrics', async () => {
    const calls: string[] = [];
    const store = await start({
      operation: (operation, outcome, seconds) =>
        calls.push(`${operation} ${outcome} ${seconds < 60}`),
      transferred: (operation, bytes) => calls.push(`${operation} ${bytes}`),
    });
    await store.put('x', Buffer.from('abc'));
    await store.read('x', undefined, 10);
    await store.get('missing').catch(() => undefined);
    expect(calls).toEqual(['put 3', 'put ok true', 'get 3', 'get ok true', 'get not_found true']);
  });
}

function describeReading(start: StartBlobStore): void {
  it.each([
    ['the start', { offset: 0, length: 3 }, 'abc'],
    ['the middle', { offset: 2, length: 3 }, 'cde'],
    ['the last byte', { offset: 9, length: 1 }, 'j'],
    ['more than there is', { offset: 8, length: 100 }, 'ij'],
    ['behind the end', { offset: 10, length: 5 }, ''],
    ['far behind the end', { offset: 1000, length: 5 }, ''],
    ['nothing', { offset: 3, length: 0 }, ''],
  ])('reads a range: %s', async (_, range, expected) => {
    const store = await start();
    await store.put('letters', Buffer.from('abcdefghij'));
    expect((await store.read('letters', range, 100)).toString()).toBe(expected);
  });

  it('names the missing blob, also below another blob or as a folder', async () => {
    const store = await start();
    await store.put('a/blob', Buffer.from('x'));
    for (const key of ['missing', 'a', 'a/blob/below', 'no/such/folder']) {
      await expect(store.get(key)).rejects.toMatchObject({ name: 'BlobNotFoundError' });
      await expect(store.get(key, { offset: 0, length: 0 })).rejects.toMatchObject({
        name: 'BlobNotFoundError',
      });
      expect(await store.head(key)).toBeNull();
      await store.delete(key);
    }
    expect(await readText(store, 'a/blob')).toBe('x');
  });

  it('refuses to read more than the caller wants', async () => {
    const store = await start();
    await store.put('x', Buffer.alloc(1000));
    expect(await store.read('x', undefined, 1000)).toHaveLength(1000);
    await expect(store.read('x', undefined, 999)).rejects.toMatchObject({
      name: 'BlobTooLargeError',
    });
  });

  it('frees the connection of a reader that stops in the middle', async () => {
    const store = await start();
    await store.put('large', Buffer.alloc(16 * MEGABYTE));
    for (let count = 0; count < 70; count++) {
      const stream = await store.get('large');
      stream.on('error', () => undefined); // being cut off is the point
      await until(() => stream.read() !== null, { intervalMs: 1 });
      stream.destroy();
    }
    expect(await store.head('large')).toMatchObject({ bytes: 16 * MEGABYTE });
  });

  it('shows a running reader the version it opened, whole', async () => {
    const store = await start();
    const first = randomBytes(2 * MEGABYTE);
    await store.put('x', first);
    const stream = await store.get('x');
    await store.put('x', Buffer.from('second'));
    expect(await hashOf(stream)).toBe(createHash('sha256').update(first).digest('hex'));
  });

  it('deletes a blob', async () => {
    const store = await start();
    await store.put('x', Buffer.from('x'));
    await store.delete('x');
    expect(await store.head('x')).toBeNull();
    await store.delete('x');
  });

  it('answers a ping', async () => {
    const store = await start();
    await store.ping();
    await store.ping();
  });
}

function* inChunks(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

function breaking(pieces: number, error: Error): Readable {
  const source = async function* (): AsyncGenerator<Buffer> {
    for (let count = 0; count < pieces; count++) yield Buffer.alloc(MEGABYTE);
    throw error;
  };
  return Readable.from(source());
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
