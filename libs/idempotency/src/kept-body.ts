import { PassThrough, Readable } from 'node:stream';
import type { BlobStore } from '@app/blobs';
import type { KeptAnswer } from './idempotency.js';

/** Larger bodies are blobs. */
export const MAX_INLINE_BYTES = 256 * 1024;
/** As much as the rest of its row: of these only the number of requests is a bound. */
export const MAX_SMALL_BYTES = 1_024;
/** Larger ones, of a batch of large pages, are not kept: a retry runs again and is not charged again. */
export const MAX_COPIED_BYTES = 128 * 1024 * 1024;

/** Where the body of an answer goes when there is no room for it beside its key. */
export interface BodyPlace {
  /** Takes room for so many bytes beside the keys of the tenant; false when there is none. */
  readonly takeRoom: (bytes: number) => Promise<boolean>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly key: string;
  /** Called before the blob is written. */
  readonly note: () => Promise<void>;
  /** Called when it is, with its size. */
  readonly stored: (bytes: number) => Promise<void>;
}

/** Keeps a body that is there as a whole. */
export async function keepBytes(bytes: Buffer, place: BodyPlace): Promise<KeptAnswer['body']> {
  if (await fitsInline(bytes.byteLength, place)) return bytes;
  await place.note();
  await place.blobs.put(place.key, bytes);
  await place.stored(bytes.byteLength);
  return { blobKey: place.key };
}

async function fitsInline(bytes: number, { takeRoom }: BodyPlace): Promise<boolean> {
  return bytes <= MAX_SMALL_BYTES || (bytes <= MAX_INLINE_BYTES && (await takeRoom(bytes)));
}

/**
 * Sends a stream and stores a copy of it. A client that hangs up does not stop the work: the copy
 * continues, for the retry. A failing copy does not stop the answer either. Memory is bounded: data
 * beyond the inline size goes to the blob as it arrives, and the slower of reader and storage sets
 * the pace.
 * @param keep before the reader sees the end; must not reject
 * @param abandon the stream broke, or its copy could not be stored; must not reject
 */
export function copyStream(
  source: Readable,
  place: BodyPlace,
  end: {
    readonly keep: (body: KeptAnswer['body']) => Promise<void>;
    readonly abandon: (error: unknown) => Promise<void>;
  },
): Readable {
  const sent = new PassThrough();
  // Handled here: a reader that left is no fault.
  sent.on('error', () => undefined);
  const copy = new StreamCopy(place);
  const run = async (): Promise<void> => {
    for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
      await Promise.all([send(sent, bytes), copy.add(bytes)]);
    }
    await copy.finish().then(end.keep, end.abandon);
    sent.end();
  };
  run().catch(async (error: unknown) => {
    copy.abort(error);
    await end.abandon(error);
    sent.destroy(error instanceof Error ? error : new Error('the answer broke off'));
  });
  return sent;
}

async function send(sent: PassThrough, bytes: Buffer): Promise<void> {
  if (!sent.destroyed && !sent.write(bytes)) await hasRoom(sent);
}

/** Resolves when it accepts more, or has no reader any more; errors are reported elsewhere. */
function hasRoom(stream: PassThrough): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** The copy: in memory while it is small, then a blob being written. */
class StreamCopy {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private upload: { readonly body: PassThrough; readonly stored: Promise<unknown> } | undefined;
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly place: BodyPlace) {}

  /** Never rejects: `finish` reports the error. */
  async add(chunk: Buffer): Promise<void> {
    if (this.failure) return;
    await this.take(chunk).catch((error: unknown) => {
      this.failure = { error };
      this.chunks.length = 0;
      this.abort(error);
    });
  }

  async finish(): Promise<KeptAnswer['body']> {
    if (this.failure) throw this.failure.error;
    if (!this.upload) return keepBytes(Buffer.concat(this.chunks), this.place);
    this.upload.body.end();
    await this.upload.stored;
    await this.place.stored(this.bytes);
    return { blobKey: this.place.key };
  }

  abort(error: unknown): void {
    this.upload?.body.destroy(error instanceof Error ? error : undefined);
  }

  private async take(chunk: Buffer): Promise<void> {
    this.bytes += chunk.byteLength;
    if (this.bytes > MAX_COPIED_BYTES) throw new RangeError('too large to be kept');
    if (this.upload) return this.write(this.upload, chunk);
    this.chunks.push(chunk);
    if (this.bytes <= MAX_INLINE_BYTES) return;
    await this.place.note();
    const body = new PassThrough();
    // `stored` reports the failure.
    body.on('error', () => undefined);
    const stored = this.place.blobs.put(this.place.key, body);
    // `write` and `finish` report it.
    stored.catch(() => undefined);
    this.upload = { body, stored };
    const held = Buffer.concat(this.chunks.splice(0));
    await this.write(this.upload, held);
  }

  private async write(
    { body, stored }: NonNullable<StreamCopy['upload']>,
    chunk: Buffer,
  ): Promise<void> {
    if (!body.destroyed && body.write(chunk)) return;
    // A store that fails rejects here; one that is slow holds up the sender.
    await Promise.race([hasRoom(body), stored]);
  }
}
