import { zstdCompressSync } from 'node:zlib';
import { BlobNotFoundError, BlobUnavailableError } from '@app/blobs';
import type { SegmentRange } from '../../frontier/page-outcome.js';
import { createLogger } from '@app/telemetry';
import { StoredDocuments } from './stored-documents.js';

const STORED: SegmentRange = { key: 'jobs/t1/j1/segments/a.zst', offset: 7, bytes: 100 };
const DOCUMENT = { url: 'http://a.example/', ok: true, markdown: '# Ä' };
const packed = (text: string): Buffer => zstdCompressSync(Buffer.from(text));
const log = createLogger({ level: 'fatal', component: 'spec' });

describe('a stored document', () => {
  const live = (): AbortSignal => new AbortController().signal;
  const readFrom = (
    read: (key: string, range: unknown, maxBytes: number) => Promise<Buffer>,
    {
      stored = STORED,
      signal = live(),
    }: { stored?: SegmentRange | null; signal?: AbortSignal } = {},
  ) => new StoredDocuments({ read }, log).read({ tenantId: 't1', stored }, signal);

  it('is read from its place in its segment', async () => {
    const asked: unknown[] = [];
    const read = await readFrom(async (...call) => {
      asked.push(call);
      return packed(JSON.stringify(DOCUMENT));
    });
    expect(read).toEqual({ ok: true, document: DOCUMENT });
    expect(asked).toEqual([[STORED.key, { offset: 7, length: 100 }, 100]]);
  });

  it.each<[string, () => Buffer]>([
    ['a frame that is cut', () => packed(JSON.stringify(DOCUMENT)).subarray(0, -4)],
    ['no frame', () => Buffer.from('something else')],
    ['no JSON', () => packed('{"url":')],
    ['another value', () => packed('[1]')],
    ['no address', () => packed('{"url":"nope"}')],
  ])('that is damaged says so: %s', async (_, frame) => {
    const problem = { ok: false, problem: 'source_unreadable' };
    expect(await readFrom(async () => frame())).toEqual(problem);
  });

  it.each([null, { ...STORED, key: 'jobs/t2/j1/segments/a.zst' }])(
    'of no tenant, or of another one, is not read: %j',
    async (stored) => {
      const never = () => Promise.reject(new Error('called'));
      expect(await readFrom(never, { stored })).toEqual({
        ok: false,
        problem: 'source_unreadable',
      });
    },
  );

  it('that was deleted ends with its own error', async () => {
    const gone = () => Promise.reject(new BlobNotFoundError('gone'));
    expect(await readFrom(gone)).toEqual({ ok: false, problem: 'source_expired' });
  });

  it('is waited for while storage is away, as long as the page is held', async () => {
    let tries = 0;
    const away = async (): Promise<Buffer> => {
      if (++tries < 3) throw new BlobUnavailableError('away');
      return packed(JSON.stringify(DOCUMENT));
    };
    expect(await readFrom(away)).toMatchObject({ ok: true });
    const abort = new AbortController();
    const lost = readFrom(
      async () => {
        abort.abort();
        throw new BlobUnavailableError('away');
      },
      { signal: abort.signal },
    );
    expect(await lost).toBeNull();
  });
});
