import type { ListedAddress } from './address-list.js';
import { AddressRun, type ItemAnswer, AnswerMemory } from './address-run.js';
import { writeAnswers, type BatchForm } from './write-answers.js';

const KB = 1_024;

describe('the body of a batch', () => {
  interface Over {
    readonly workers?: number;
    readonly maxBytes?: number;
    readonly maxBytesPerBatch?: number;
    readonly bytesPerAnswer?: number;
    readonly places?: readonly (readonly number[])[];
    readonly tickMs?: number;
  }

  /** A batch whose pages finish when the test says so. */
  const batchOf = (count: number, form: BatchForm, over: Over = {}) => {
    const memory = new AnswerMemory({
      maxBytes: over.maxBytes ?? 1_000 * KB,
      maxBytesPerBatch: over.maxBytesPerBatch ?? 1_000 * KB,
    });
    const share = memory.share();
    const abort = new AbortController();
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const addresses: ListedAddress[] = (
      over.places ?? Array.from({ length: count }, (_, n) => [n])
    ).map((places) => {
      const parsed = new URL(`http://a.example/${places[0]}`);
      return { url: parsed.href, parsed, places };
    });
    const filler = 'x'.repeat(over.bytesPerAnswer ?? KB);
    const work = ({ places: [first = 0] }: ListedAddress): Promise<ItemAnswer> => {
      begun.push(first);
      const answer = { rest: Buffer.from(`"ok":true,"f":"${filler}"}`), ok: true, credits: 1 };
      return new Promise((resolve) => ends.set(first, () => resolve(answer)));
    };
    const { signal } = abort;
    const run = new AddressRun(addresses, {
      workers: over.workers ?? 4,
      memory: share,
      signal,
      work,
      tickMs: over.tickMs ?? 60_000,
    });
    const body = writeAnswers(form, { total: count, refused: [], run, memory: share, signal });
    return { memory, abort, begun, body, end: (n: number) => ends.get(n)?.() };
  };

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const textOf = async (body: AsyncGenerator<Buffer>) => {
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };

  it.each<[number, number]>([
    [3, 3],
    [4, 4],
    [5, 5],
  ])('buffers %i KB of results behind a slow page before it starts no more', async (most, held) => {
    const batch = batchOf(50, 'json', {
      workers: 2,
      maxBytesPerBatch: most * KB,
      bytesPerAnswer: KB - 17,
    });
    const text = textOf(batch.body);
    await turn();
    // The first never finishes; the others do.
    for (let last = -1; last !== batch.begun.length;) {
      last = batch.begun.length;
      for (const n of batch.begun.filter((one) => one > 0)) batch.end(n);
      await turn();
      await turn();
    }
    expect(batch.begun).toEqual(Array.from({ length: held + 1 }, (_, n) => n));
    expect(batch.memory.held).toBe(held * KB);
    batch.end(0);
    await endAll(batch, 50);
    expect(JSON.parse(await text)).toMatchObject({ summary: { total: 50, ok: 50 } });
    expect(batch.memory.held).toBe(0);
  });

  /** Finishes each page that starts until all are done. */
  const endAll = async ({ begun, end }: ReturnType<typeof batchOf>, count: number) => {
    for (let ended = 0; ended < count;) {
      ended = begun.length;
      for (const n of begun) end(n);
      await turn();
    }
  };

  it('shares one bound between batches, and each continues one by one beyond it', async () => {
    const batch = batchOf(3, 'ndjson', { workers: 2, maxBytes: 0 });
    const text = textOf(batch.body);
    for (const n of [0, 1, 2]) {
      await turn();
      expect(batch.begun).toEqual(Array.from({ length: n + 1 }, (_, one) => one));
      batch.end(n);
      await turn();
    }
    expect((await text).trimEnd().split('\n')).toHaveLength(4);
  });

  it('continues behind a result that is kept for a later index', async () => {
    const places = [[0, 3], [1], [2]];
    const batch = batchOf(4, 'json', { workers: 1, maxBytesPerBatch: 1, places });
    const text = textOf(batch.body);
    for (const n of [0, 1, 2]) {
      await turn();
      batch.end(n);
      await turn();
    }
    const { results, creditsUsed } = JSON.parse(await text) as {
      results: { index: number }[];
      creditsUsed: number;
    };
    expect([results.map(({ index }) => index), creditsUsed]).toEqual([[0, 1, 2, 3], 3]);
    expect(batch.memory.held).toBe(0);
  });

  it('starts no page for a reader that does not read', async () => {
    const batch = batchOf(10, 'ndjson', { workers: 2 });
    const first = batch.body.next();
    await turn();
    batch.end(0);
    batch.end(1);
    await first;
    await turn();
    // Two are done and unread, and two more had started while the client still read.
    for (const n of [2, 3]) batch.end(n);
    await turn();
    await turn();
    expect(batch.begun).toEqual([0, 1, 2, 3]);
    await batch.body.return(undefined);
    expect(batch.memory.held).toBe(0);
  });

  it('releases its memory when the client disconnects, and does not count later results', async () => {
    const batch = batchOf(10, 'json', { workers: 4 });
    const text = textOf(batch.body);
    await turn();
    for (const n of [1, 2]) batch.end(n);
    await turn();
    await turn();
    expect(batch.memory.held).toBeGreaterThan(0);
    batch.abort.abort();
    expect(await text).toBe('{"results":[');
    expect(batch.memory.held).toBe(0);
    const begun = batch.begun.length;
    batch.end(3);
    await turn();
    expect([batch.memory.held, batch.begun.length]).toEqual([0, begun]);
  });

  it.each<BatchForm>(['json', 'ndjson'])('sends keep-alives, and stays valid %s', async (form) => {
    const batch = batchOf(1, form, { tickMs: 1 });
    const pieces: string[] = [];
    for await (const piece of batch.body) {
      pieces.push(piece.toString());
      if (pieces.filter((one) => one === ' ').length === 3) batch.end(0);
    }
    const lines = form === 'json' ? [pieces.join('')] : pieces.join('').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(form === 'json' ? 1 : 2);
    expect(pieces.filter((one) => one === ' ').length).toBeGreaterThanOrEqual(3);
  });
});
