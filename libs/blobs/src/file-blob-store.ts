import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  open,
  readdir,
  rm,
  stat,
  unlink,
  mkdir,
  rename,
  rmdir,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { errorCode } from '@app/contracts';
import {
  BlobKeyError,
  BlobLengthError,
  BlobNotFoundError,
  BlobUnavailableError,
} from './blob-errors.js';
import { observed, type BlobOperation, type BlobStoreEvents } from './blob-events.js';
import { assertDeletablePrefix, assertKey, assertPrefix, isSegment } from './blob-key.js';
import type {
  BlobHead,
  BlobRange,
  BlobStore,
  ListedBlob,
  PutOptions,
  SignedUrlOptions,
} from './blob-store.js';
import { downloadUrl } from './download-token.js';
import { readAll } from './read-all.js';

/** Folder of unfinished blobs. No key can name it: `~` is not among the characters of keys. */
const INCOMING = '~incoming';
/** An unfinished file without a write for this long was left by a process that died. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000;
const UNAVAILABLE_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'ESTALE',
]);

export interface FileBlobStoreOptions {
  /** Absolute path of the folder; created if missing. */
  readonly root: string;
  /** Public URL of the API, which serves `/downloads/<token>`. */
  readonly publicUrl: string;
  readonly downloadSecret: Uint8Array;
  readonly events?: BlobStoreEvents;
}

/** Blobs as files of a folder, a key's slashes as folders. A key cannot be both a blob and a folder of blobs. */
export class FileBlobStore implements BlobStore {
  private readonly root: string;
  private readonly events: BlobStoreEvents;
  private opening: Promise<void> | null = null;

  constructor(private readonly options: FileBlobStoreOptions) {
    this.root = path.resolve(options.root);
    this.events = options.events ?? {};
  }

  async put(
    key: string,
    body: Uint8Array | Readable,
    options: PutOptions = {},
  ): Promise<{ readonly bytes: number }> {
    return this.observed('put', key, async () => {
      await this.opened();
      const temporary = path.join(this.root, INCOMING, randomUUID());
      try {
        const bytes = await writeNew(temporary, body, options.contentLength);
        await moveDurably(temporary, this.pathOf(key));
        this.events.transferred?.('put', bytes);
        return { bytes };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  }

  async get(key: string, range?: BlobRange): Promise<Readable> {
    return this.observed('get', key, async () => {
      const handle = await open(this.pathOf(key), 'r');
      try {
        return await this.streamOf(key, handle, range);
      } catch (error) {
        await handle.close();
        throw error;
      }
    });
  }

  async read(key: string, range: BlobRange | undefined, maxBytes: number): Promise<Buffer> {
    return readAll(await this.get(key, range), maxBytes);
  }

  async head(key: string): Promise<BlobHead | null> {
    return this.observed('head', key, async () => {
      const found = await stat(this.pathOf(key));
      return found.isFile() ? { bytes: found.size } : null;
    }).catch(nullWhenMissing);
  }

  async delete(key: string): Promise<void> {
    await this.observed('delete', key, async () => {
      const file = this.pathOf(key);
      await unlink(file);
      await removeEmptyFolders(path.dirname(file), this.root);
    }).catch(nullWhenMissing);
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertDeletablePrefix(prefix);
    return this.observed('delete', prefix.slice(0, -1), async () => {
      let count = 0;
      for await (const _ of this.list(prefix)) count++;
      const folder = this.pathOf(prefix);
      if (count > 0) await rm(folder, { recursive: true, force: true });
      await removeEmptyFolders(path.dirname(folder), this.root);
      return count;
    });
  }

  async *list(prefix: string): AsyncIterable<ListedBlob> {
    assertPrefix(prefix);
    const entries = await readdir(this.pathOf(prefix), { withFileTypes: true }).catch(
      emptyWhenMissing,
    );
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!isSegment(entry.name)) continue;
      const key = `${prefix}${entry.name}`;
      if (entry.isDirectory()) {
        yield* this.list(`${key}/`);
        continue;
      }
      const found = await this.head(key);
      if (found !== null) yield { key, bytes: found.bytes };
    }
  }

  async signedUrl(
    key: string,
    { expiresInSeconds, fileName, contentType }: SignedUrlOptions,
  ): Promise<string> {
    const { publicUrl, downloadSecret: secret } = this.options;
    return downloadUrl({ key, fileName, contentType }, { publicUrl, secret, expiresInSeconds });
  }

  async ping(): Promise<void> {
    try {
      await this.opened();
      await access(path.join(this.root, INCOMING), constants.W_OK);
    } catch (cause) {
      throw new BlobUnavailableError(`The folder ${this.root} is not usable`, { cause });
    }
  }

  async close(): Promise<void> {
    await this.opening?.catch(() => undefined); // its callers got the error
  }

  private pathOf(key: string): string {
    return path.join(this.root, key);
  }

  private opened(): Promise<void> {
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<void> {
    const incoming = path.join(this.root, INCOMING);
    await makeDurableFolder(incoming);
    for (const name of await readdir(incoming)) await removeAbandoned(path.join(incoming, name));
  }

  private async streamOf(key: string, handle: FileHandle, range?: BlobRange): Promise<Readable> {
    const found = await handle.stat();
    if (!found.isFile()) throw new BlobNotFoundError(`No blob ${key}`);
    const bytes = lengthOf(found.size, range);
    this.events.transferred?.('get', bytes);
    if (bytes === 0) {
      await handle.close();
      return Readable.from([]);
    }
    const start = range?.offset ?? 0;
    return handle.createReadStream({ start, end: start + bytes - 1 });
  }

  private observed<T>(operation: BlobOperation, key: string, work: () => Promise<T>): Promise<T> {
    return observed(this.events, operation, async () => {
      assertKey(key);
      return work().catch((error: unknown) => {
        throw translated(error, operation, key);
      });
    });
  }
}

async function writeNew(
  file: string,
  body: Uint8Array | Readable,
  wantedBytes: number | undefined,
): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(body);
    const bytes = body instanceof Uint8Array ? body.length : (await handle.stat()).size;
    if (wantedBytes !== undefined && bytes !== wantedBytes) {
      throw new BlobLengthError(`The body has ${bytes} bytes instead of ${wantedBytes}`);
    }
    await handle.datasync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(file: string): Promise<void> {
  const found = await stat(file).catch(() => null); // finished by another process meanwhile
  if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
    await rm(file, { force: true });
}

function lengthOf(bytes: number, range: BlobRange | undefined): number {
  if (range === undefined) return bytes;
  return Math.max(0, Math.min(range.length, bytes - range.offset));
}

/**
 * The path goes through a blob, or names a folder: for a put the key is invalid, for the other calls the blob is
 * missing.
 */
const SHAPE_CODES = new Set(['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY']);

function translated(error: unknown, operation: BlobOperation, key: string): unknown {
  const code = errorCode(error);
  const options = { cause: error };
  if (SHAPE_CODES.has(code) && operation === 'put') {
    return new BlobKeyError(`${key} is above or below another blob`, options);
  }
  if (SHAPE_CODES.has(code) || code === 'ENOENT')
    return new BlobNotFoundError(`No blob ${key}`, options);
  if (UNAVAILABLE_CODES.has(code)) return new BlobUnavailableError(`Blob ${key}: ${code}`, options);
  return error;
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof BlobNotFoundError) return null;
  throw error;
}

function emptyWhenMissing(error: unknown): never[] {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
  throw error;
}

/** Retries, because another process may remove the folder while it is empty. */
const MAX_FOLDER_TRIES = 5;

/** Creates the folder and its parents, durably: they survive a power failure. */
async function makeDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/** Renames a synced file atomically, and creates the folder if it is missing. */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = path.dirname(to);
  for (let tries = 1; ; tries++) {
    try {
      await rename(from, to);
      return await syncFolder(folder);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === MAX_FOLDER_TRIES) throw error;
      await makeDurableFolder(folder);
    }
  }
}

/** Removes the folder and its parents up to `root` as long as they are empty. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let empty = folder; empty.startsWith(root + path.sep); empty = path.dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return; // not empty, or another process removed it: nothing is left to do
    }
  }
}

/** A rename is durable only when the folder is synced as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
