import type { BlobStoreEvents } from './blob-events.js';
import type { BlobStore, ListedBlob } from './blob-store.js';

const MEGABYTE = 1024 * 1024;

export type StartBlobStore = (events?: BlobStoreEvents) => Promise<BlobStore>;

/** Listing and deleting folders. */
export function describeFolders(start: StartBlobStore): void {
  const fill = async (store: BlobStore): Promise<void> => {
    for (const key of ['jobs/1/a', 'jobs/1/deep/b', 'jobs/10/c', 'other'])
      await store.put(key, Buffer.from(key));
  };

  it('lists a folder in order, with everything below it and nothing beside it', async () => {
    const store = await start();
    await fill(store);
    expect(await listed(store, 'jobs/1/')).toEqual([
      { key: 'jobs/1/a', bytes: 8 },
      { key: 'jobs/1/deep/b', bytes: 13 },
    ]);
    expect(await listed(store, 'none/')).toEqual([]);
    expect((await listed(store, '')).map(({ key }) => key).sort()).toEqual([
      'jobs/1/a',
      'jobs/1/deep/b',
      'jobs/10/c',
      'other',
    ]);
  });

  it('deletes a folder with everything below it and nothing beside it', async () => {
    const store = await start();
    await fill(store);
    expect(await store.deletePrefix('jobs/1/')).toBe(2);
    expect(await store.deletePrefix('jobs/1/')).toBe(0);
    expect((await listed(store, '')).map(({ key }) => key).sort()).toEqual(['jobs/10/c', 'other']);
  });

  it('lists and deletes a folder of more than a thousand blobs', async () => {
    const store = await start();
    const keys = Array.from(
      { length: 1005 },
      (_, index) => `big/${String(index).padStart(5, '0')}`,
    );
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, Buffer.from('x'))));
    }
    expect((await listed(store, 'big/')).map(({ key }) => key)).toEqual(keys);
    expect(await store.deletePrefix('big/')).toBe(1005);
    expect(await listed(store, '')).toEqual([]);
  });

  it.each(['jobs', '/', '../', 'jobs/../', 'jobs//'])('refuses the prefix %j', async (prefix) => {
    const store = await start();
    await expect(listed(store, prefix)).rejects.toMatchObject({ name: 'BlobKeyError' });
    await expect(store.deletePrefix(prefix)).rejects.toMatchObject({ name: 'BlobKeyError' });
  });

  it('refuses to delete everything', async () => {
    const store = await start();
    await expect(store.deletePrefix('')).rejects.toMatchObject({ name: 'BlobKeyError' });
  });
}

/** Which keys are valid. */
export function describeKeys(start: StartBlobStore): void {
  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '.',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    'a\\..\\b',
    'a\0b',
    'a b',
    'ä',
    '~incoming/x',
    '%2e%2e/x',
    'x'.repeat(513),
  ])('refuses the key %j', async (key) => {
    const store = await start();
    const refused = { name: 'BlobKeyError' };
    await expect(store.put(key, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.get(key)).rejects.toMatchObject(refused);
    await expect(store.read(key, undefined, 10)).rejects.toMatchObject(refused);
    await expect(store.head(key)).rejects.toMatchObject(refused);
    await expect(store.delete(key)).rejects.toMatchObject(refused);
    await expect(
      store.signedUrl(key, { expiresInSeconds: 10, fileName: 'x', contentType: 'text/plain' }),
    ).rejects.toMatchObject(refused);
  });

  it.each(['a', '...', '.hidden/-_', 'A/b.C/9', `${'x'.repeat(100)}/`.repeat(5) + 'y'])(
    'takes the key %j',
    async (key) => {
      const store = await start();
      await store.put(key, Buffer.from(key));
      expect(await readText(store, key)).toBe(key);
      expect(await listed(store, '')).toEqual([{ key, bytes: key.length }]);
    },
  );

  it('refuses to sign for longer than a week', async () => {
    const store = await start();
    const options = {
      expiresInSeconds: 7 * 24 * 3600 + 1,
      fileName: 'x',
      contentType: 'text/plain',
    };
    await expect(store.signedUrl('x', options)).rejects.toBeInstanceOf(RangeError);
  });
}

export async function readText(store: BlobStore, key: string): Promise<string> {
  return (await store.read(key, undefined, MEGABYTE)).toString();
}

export async function listed(store: BlobStore, prefix: string): Promise<readonly ListedBlob[]> {
  const found: ListedBlob[] = [];
  for await (const blob of store.list(prefix)) found.push(blob);
  return found;
}
