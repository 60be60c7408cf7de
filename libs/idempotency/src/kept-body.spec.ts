import { PassThrough, Readable } from 'node:stream';
import { until } from '@app/testing';
import type { KeptAnswer } from './idempotency.js';
import {
  copyStream,
  keepBytes,
  MAX_INLINE_BYTES,
  MAX_SMALL_BYTES,
  MAX_COPIED_BYTES,
} from './kept-body.js';

/** A store that records its calls, in order. */
function placeWith(put?: (body: Readable | Uint8Array) => Promise<void>, roomBytes = Infinity) {
  const log: string[] = [];
  const stored: Buffer[] = [];
  return {
    log,
    stored: () => Buffer.concat(stored),
    place: {
      key: 'k',
      note: async () => void log.push('note'),
      stored: async (bytes: number) => void log.push(`stored ${bytes}`),
      takeRoom: async (bytes: number) => bytes <= roomBytes,
      blobs: {
        put: async (_key: string, body: Readable | Uint8Array) => {
          log.push('put');
          if (put) await put(body);
          else if (body instanceof Uint8Array) stored.push(Buffer.from(body));
          else for await (const chunk of body) stored.push(chunk as Buffer);
          return { bytes: 0 };
        },
      },
    },
  };
}

/** How the copy ended. */
function endings() {
  const kept: KeptAnswer['body'][] = [];
  const abandoned: unknown[] = [];
  return {
    kept,
    abandoned,
    end: {
      keep: async (body: KeptAnswer['body']) => void kept.push(body),
      abandon: async (error: unknown) => void abandoned.push(error),
    },
  };
}

const chunksOf = (bytes: number, size: number): Buffer[] =>
  Array.from({ length: bytes / size }, (_, n) => Buffer.alloc(size, n % 251));

describe('the body of a stored response', () => {
  it.each([
    [MAX_INLINE_BYTES, []],
    [MAX_INLINE_BYTES + 1, ['note', 'put', `stored ${MAX_INLINE_BYTES + 1}`]],
  ])('of %i bytes goes where it belongs, noted first', async (bytes, log) => {
    const whole = placeWith();
    const body = await keepBytes(Buffer.alloc(bytes, 7), whole.place);
    expect(whole.log).toEqual(log);
    expect(Buffer.isBuffer(body)).toBe(log.length === 0);

    const streamed = placeWith();
    const { kept, end } = endings();
    const sent = copyStream(Readable.from([Buffer.alloc(bytes, 7)]), streamed.place, end);
    expect(Buffer.concat(await sent.toArray()).length).toBe(bytes);
    expect(streamed.log).toEqual(log);
    expect(kept).toEqual([log.length === 0 ? Buffer.alloc(bytes, 7) : { blobKey: 'k' }]);
  });

  it.each([
    [MAX_SMALL_BYTES, []],
    [MAX_SMALL_BYTES + 1, ['note', 'put', `stored ${MAX_SMALL_BYTES + 1}`]],
  ])('of %i bytes goes where it belongs when its tenant has no room left', async (bytes, log) => {
    const whole = placeWith(undefined, 0);
    const body = await keepBytes(Buffer.alloc(bytes, 7), whole.place);
    expect([whole.log, Buffer.isBuffer(body)]).toEqual([log, log.length === 0]);

    const streamed = placeWith(undefined, 0);
    const { kept, end } = endings();
    await copyStream(Readable.from([Buffer.alloc(bytes, 7)]), streamed.place, end).toArray();
    expect([streamed.log, streamed.stored().length]).toEqual([log, log.length === 0 ? 0 : bytes]);
    expect(kept).toEqual([log.length === 0 ? Buffer.alloc(bytes, 7) : { blobKey: 'k' }]);
  });

  it('is the very stream that is sent', async () => {
    const chunks = chunksOf(4 * 1024 * 1024, 64 * 1024);
    const { place, stored } = placeWith();
    const { kept, end } = endings();
    const sent = copyStream(Readable.from(chunks), place, end);
    const received = Buffer.concat(await sent.toArray());
    expect(received.equals(Buffer.concat(chunks))).toBe(true);
    expect(stored().equals(received)).toBe(true);
    expect(kept).toEqual([{ blobKey: 'k' }]);
  });

  it('is stored before the reader sees its end', async () => {
    let keep = (): void => undefined;
    const sent = copyStream(Readable.from([Buffer.from('a')]), placeWith().place, {
      keep: () => new Promise((resolve) => (keep = resolve)),
      abandon: async () => undefined,
    });
    const iterator = sent[Symbol.asyncIterator]();
    expect(String((await iterator.next()).value)).toBe('a');
    const end = iterator.next();
    const early = await Promise.race([end, new Promise((resolve) => setImmediate(resolve))]);
    expect(early).toBe(undefined);
    keep();
    expect((await end).done).toBe(true);
  });

  it.each(['before its first byte', 'in the middle'])(
    'is kept whole although its reader leaves %s',
    async (when) => {
      const chunks = chunksOf(1024 * 1024, 16 * 1024);
      const { place, stored } = placeWith();
      const { kept, abandoned, end } = endings();
      const sent = copyStream(Readable.from(chunks), place, end);
      if (when === 'in the middle') for await (const _ of sent) break;
      sent.destroy();
      await until(() => kept.length === 1, { what: 'the copy' });
      expect([stored().length, abandoned]).toEqual([1024 * 1024, []]);
    },
  );

  it('is sent no faster than its reader reads, in bounded memory', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (; made < 10_000; made++) yield Buffer.alloc(16 * 1024);
    }
    const { end } = endings();
    const sent = copyStream(Readable.from(endless()), placeWith().place, end);
    await until(() => made > 0, { what: 'a start' });
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(100);
    sent.destroy();
  });

  it('that breaks off is abandoned, and its reader notified', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(MAX_INLINE_BYTES + 1);
      throw new Error('no more');
    }
    let upload: Readable | undefined;
    const { place } = placeWith(async (body) => {
      upload = body as Readable;
      await (body as Readable).toArray();
    });
    const { kept, abandoned, end } = endings();
    const sent = copyStream(Readable.from(broken()), place, end);
    await expect(sent.toArray()).rejects.toThrow('no more');
    expect([kept, abandoned.map(String)]).toEqual([[], ['Error: no more']]);
    expect(upload?.destroyed).toBe(true);
  });

  it('that is too large is abandoned, and sent all the same', async () => {
    const chunk = Buffer.alloc(8 * 1024 * 1024);
    const chunks = Array.from({ length: MAX_COPIED_BYTES / chunk.length + 1 }, () => chunk);
    const { place, log } = placeWith(async (body) => {
      for await (const _ of body as Readable);
    });
    const { kept, abandoned, end } = endings();
    let sent = 0;
    for await (const part of copyStream(Readable.from(chunks), place, end))
      sent += (part as Buffer).length;
    expect([sent, kept, abandoned.map(String)]).toEqual([
      MAX_COPIED_BYTES + chunk.length,
      [],
      ['RangeError: too large to be kept'],
    ]);
    expect(log).toEqual(['note', 'put']);
  });

  it.each([
    ['at once', async () => Promise.reject(new Error('no storage'))],
    [
      'without reading',
      (body: Readable | Uint8Array) =>
        new Promise<void>((_, reject) => {
          (body as PassThrough).once('readable', () => reject(new Error('no storage')));
        }),
    ],
  ])('that storage refuses %s is abandoned, and sent all the same', async (_, put) => {
    const { place } = placeWith(put);
    const { kept, abandoned, end } = endings();
    const sent = copyStream(Readable.from(chunksOf(1024 * 1024, 64 * 1024)), place, end);
    expect(Buffer.concat(await sent.toArray()).length).toBe(1024 * 1024);
    expect([kept, abandoned.map(String)]).toEqual([[], ['Error: no storage']]);
  });
});
