import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { until } from '@app/testing';
import { describeBlobStore } from './blob-store.contract.js';
import { verifyDownload } from './download-token.js';
import { FileBlobStore } from './file-blob-store.js';
import { openBlobStore } from './open-blob-store.js';

const downloadSecret = Buffer.from('a secret of this test');
const publicUrl = 'https://api.example/';
const roots: string[] = [];

function newRoot(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'blobs-'));
  roots.push(root);
  return root;
}

function open(root: string): FileBlobStore {
  return new FileBlobStore({ root, publicUrl, downloadSecret });
}

async function keysOf(store: FileBlobStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true });
});

describeBlobStore(
  'FileBlobStore',
  async (events) =>
    new FileBlobStore({
      root: path.join(newRoot(), 'made', 'by', 'itself'),
      publicUrl,
      downloadSecret,
      events,
    }),
);

describe('FileBlobStore', () => {
  it('is opened by a file: address', async () => {
    const root = path.join(newRoot(), 'with space');
    const store = openBlobStore({ url: pathToFileURL(root).href, publicUrl, downloadSecret });
    await store.put('x', Buffer.from('x'));
    expect(await readdir(root)).toEqual(['x', '~incoming']);
  });

  it('signs links that the download route can verify', async () => {
    const url = await open(newRoot()).signedUrl('jobs/1/results.json', {
      expiresInSeconds: 60,
      fileName: 'results.json',
      contentType: 'application/json',
    });
    const [, token = ''] = /^https:\/\/api\.example\/downloads\/([\w.-]+)$/.exec(url) ?? [];
    const download = {
      key: 'jobs/1/results.json',
      fileName: 'results.json',
      contentType: 'application/json',
    };
    expect(verifyDownload(token, downloadSecret, Date.now())).toEqual(download);
    expect(verifyDownload(token, downloadSecret, Date.now() + 61_000)).toBeNull();
  });

  it('hides a put whose process was killed, and deletes it later', async () => {
    const root = newRoot();
    const store = open(root);
    await store.ping();
    const incoming = path.join(root, '~incoming');
    // Another process that has written its temporary file and dies before the rename.
    const script = `require('fs').writeFileSync(${JSON.stringify(path.join(incoming, 'left'))}, 'half'); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', script]);
    await until(async () => (await readdir(incoming)).includes('left'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await keysOf(store)).toEqual([]);

    await open(root).ping();
    expect(await readdir(incoming)).toEqual(['left']);
    const longAgo = new Date(Date.now() - 3600_000);
    await utimes(path.join(incoming, 'left'), longAgo, longAgo);
    await open(root).ping();
    expect(await readdir(incoming)).toEqual([]);
  });

  it('leaves no temporary file behind when a put fails', async () => {
    const root = newRoot();
    const store = open(root);
    await store.put('a', Buffer.from('x'));
    await expect(store.put('a/b', Buffer.from('x'))).rejects.toMatchObject({
      name: 'BlobKeyError',
    });
    await store.put('c/d', Buffer.from('x'));
    await expect(store.put('c', Buffer.from('x'))).rejects.toMatchObject({ name: 'BlobKeyError' });
    await expect(
      store.put('e', Readable.from([Buffer.from('x')]), { contentLength: 9 }),
    ).rejects.toMatchObject({ name: 'BlobLengthError' });
    expect(await readdir(path.join(root, '~incoming'))).toEqual([]);
  });

  it('removes folders that became empty', async () => {
    const root = newRoot();
    const store = open(root);
    await store.put('jobs/1/pages/a', Buffer.from('x'));
    await store.put('jobs/2/b', Buffer.from('x'));
    await store.delete('jobs/1/pages/a');
    expect(await readdir(path.join(root, 'jobs'))).toEqual(['2']);
    await store.deletePrefix('jobs/2/');
    expect(await readdir(root)).toEqual(['~incoming']);
  });

  it('puts into a folder that others empty and remove at the same time', async () => {
    const store = open(newRoot());
    const work = Array.from({ length: 40 }, async (_, index) => {
      await store.put(`f/g/${index}`, Buffer.from('x'));
      await store.delete(`f/g/${index}`);
    });
    await Promise.all(work);
    expect(await keysOf(store)).toEqual([]);
  });

  it('reports that it is unavailable when its folder cannot be used', async () => {
    const root = newRoot();
    await writeFile(path.join(root, 'file'), '');
    await mkdir(path.join(root, 'folder'));
    await expect(open(path.join(root, 'file')).ping()).rejects.toMatchObject({
      name: 'BlobUnavailableError',
    });
    await open(path.join(root, 'folder')).ping();
  });
});

describe('openBlobStore', () => {
  it('refuses an unknown address', () => {
    const options = { url: 'ftp://host/', publicUrl, downloadSecret };
    expect(() => openBlobStore(options)).toThrow('Unknown storage address ftp:');
  });
});
