import { BlobUnavailableError, type BlobStore } from '@app/blobs';
import { MAX_REPLY_BYTES } from '@app/broker';
import { Deadline, type ScreenshotReply } from '@app/contracts';
import { createLogger } from '@app/telemetry';
import { fitReply } from './fit-reply.js';

const small: ScreenshotReply = { kind: 'unavailable' };
const large: ScreenshotReply = { kind: 'failed', problem: 'x'.repeat(70_000) };
const asked = (leftMs: number) => ({
  requestId: 'r',
  tenantId: 't',
  deadlineAtMs: Deadline.after(leftMs).atMs,
});

function storing(put: () => Promise<{ readonly bytes: number }>) {
  const keys: string[] = [];
  const blobs = {
    put: (key: string) => {
      keys.push(key);
      return put();
    },
  } as unknown as BlobStore;
  return { keys, options: { blobs, log: createLogger({ component: 'test', level: 'silent' }) } };
}

describe('a reply', () => {
  it('is sent inline when it is small', async () => {
    const { keys, options } = storing(async () => ({ bytes: 1 }));
    expect(await fitReply(small, asked(60_000), options)).toBe(small);
    expect(keys).toEqual([]);
  });

  it('is stored in the tenant’s folder of the blob store when it is large', async () => {
    const { keys, options } = storing(async () => ({ bytes: 1 }));
    const key = 'replies/t/r.json';
    expect(await fitReply(large, asked(60_000), options)).toEqual({ kind: 'blob', key });
    expect(keys).toEqual([key]);
  });

  it.each<[string, () => Promise<{ readonly bytes: number }>]>([
    ['is away', () => Promise.reject(new BlobUnavailableError('away'))],
    ['does not answer by the deadline', () => new Promise(() => undefined)],
  ])('is sent inline if it fits a message when storage %s', async (_name, put) => {
    const { options } = storing(put);
    expect(await fitReply(large, asked(0), options)).toBe(large);
    const huge: ScreenshotReply = { kind: 'failed', problem: 'x'.repeat(MAX_REPLY_BYTES) };
    expect(await fitReply(huge, asked(0), options)).toEqual({ kind: 'undeliverable' });
  });
});
