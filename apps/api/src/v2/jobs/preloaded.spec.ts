import { preloaded } from './send-v2-job.js';

describe('pieces that are read ahead', () => {
  it('come out unchanged, whatever was read before', async () => {
    for (const ahead of [0, 1, 3, 100]) {
      const all = await preloaded(pieces(), ahead);
      const text = (await Array.fromAsync(all)).join('');
      expect([ahead, text]).toEqual([ahead, 'abcd']);
    }
  });

  it('fail before the first if one of them does', async () => {
    await expect(preloaded(pieces(2), 100)).rejects.toThrow('unreadable');
    const later = await preloaded(pieces(2), 1);
    await expect(Array.fromAsync(later)).rejects.toThrow('unreadable');
  });

  it('are not read on when their reader leaves', async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield* pieces();
      } finally {
        isClosed = true;
      }
    }
    const all = await preloaded(source(), 1);
    await all.next();
    await all.return(undefined);
    expect(isClosed).toBe(true);
  });
});

async function* pieces(failsAt = -1): AsyncGenerator<Buffer> {
  for (const [at, text] of ['a', 'b', 'c', 'd'].entries()) {
    if (at === failsAt) throw new Error('unreadable');
    yield await Promise.resolve(Buffer.from(text));
  }
}
