import { zstdCompressSync } from 'node:zlib';
import { BlobNotFoundError, BlobUnavailableError } from '@app/blobs';
import { ThreadTimeoutError } from '@app/scrape';
import { findStoredParts, type StoredPartsTask } from '../../../scrape/src/content/page-parts.js';
import {
  findStoredPassages,
  type PassagesTask,
  type StoredPassagesOptions,
} from './stored-passages.js';

const PAGE = {
  url: 'http://a.example/tides',
  markdown: '# Tides\n\nSprings rise by the moon.\n\nNeaps are small.',
  metadata: { language: 'en' },
};
const frameOf = (document: object): Buffer => zstdCompressSync(JSON.stringify(document));
const at = (key: string) => ({ key, offset: 3, bytes: 5 });

describe('passages of stored pages', () => {
  const signal = new AbortController().signal;
  const task = (over: Partial<PassagesTask> = {}): PassagesTask => ({
    ...{ requestId: 'r', tenantId: 't', plan: 'free', pages: [at('jobs/t/j/segments/1')] },
    ...{ query: 'moon rises', max: 1, deadlineAtMs: Date.now() + 600_000 },
    ...over,
  });
  const ports = (
    read: () => Promise<Buffer>,
    storedParts = async (one: StoredPartsTask) => findStoredParts(one),
  ): StoredPassagesOptions => ({
    blobs: { read: jest.fn(read) },
    content: { storedParts: jest.fn(storedParts) },
  });

  it('are those of the range, by the language of the page', async () => {
    const options = ports(async () => frameOf(PAGE));
    const { pages } = await findStoredPassages(task(), signal, options);
    expect(options.blobs.read).toHaveBeenCalledWith('jobs/t/j/segments/1', { offset: 3, length: 5 }, 5); // prettier-ignore
    expect(pages).toMatchObject([
      [{ headings: ['Tides'], text: expect.stringContaining('by the moon') }],
    ]);
  });

  it('are never those of another tenant, nor read after the deadline', async () => {
    const options = ports(async () => frameOf(PAGE));
    const others = task({ pages: [at('jobs/u/j/segments/1'), at('jobs/tt/j/1')] });
    expect((await findStoredPassages(others, signal, options)).pages).toEqual([null, null]);
    const late = task({ deadlineAtMs: Date.now() - 1 });
    expect((await findStoredPassages(late, signal, options)).pages).toEqual([null]);
    expect(options.blobs.read).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['was deleted', () => Promise.reject(new BlobNotFoundError('jobs/t/j/segments/1'))],
    ['has no Markdown', async () => frameOf({ ...PAGE, markdown: undefined })],
    ['is no frame', async () => Buffer.from('no frame')],
    ['is no document', async () => zstdCompressSync('{"url": ')],
  ])('are null of a page that %s; others have theirs', async (_, first) => {
    let reads = 0;
    const options = ports(() => (reads++ === 0 ? first() : Promise.resolve(frameOf(PAGE))));
    const two = task({ pages: [at('jobs/t/j/1'), at('jobs/t/j/2')] });
    const { pages } = await findStoredPassages(two, signal, options);
    expect(pages.map((found) => found?.length ?? null)).toEqual([null, 1]);
  });

  it('are null of a page that takes a thread too long; unavailable storage is for the caller', async () => {
    const hanging = ports(
      async () => frameOf(PAGE),
      () => Promise.reject(new ThreadTimeoutError('work')),
    );
    expect((await findStoredPassages(task(), signal, hanging)).pages).toEqual([null]);
    const down = ports(() => Promise.reject(new BlobUnavailableError('down')));
    await expect(findStoredPassages(task(), signal, down)).rejects.toThrow(BlobUnavailableError);
  });
});
