import type { LiveState } from '../../jobs/results/live-jobs.js';
import type { NumberedDocument } from '../jobs/v2-jobs.service.js';
import { FakeWatch, liveStateOf } from '../../../test/fake-watch.js';
import { closeFrame, refusalFrames, watchFrames, type WatchFrame } from './watch-frames.js';

/** A frame as a watcher sees it. */
function seen(frame: WatchFrame): unknown {
  if (frame.kind === 'text') return JSON.parse(frame.text.toString());
  return frame.kind === 'ping' ? 'ping' : [frame.code, frame.reason];
}

describe('the messages of a watcher', () => {
  let gone: AbortController;
  let asked: (readonly [number, number])[];

  beforeEach(() => {
    gone = new AbortController();
    asked = [];
  });

  async function* documents(
    after: number,
    { scraped }: LiveState,
  ): AsyncGenerator<NumberedDocument> {
    if (scraped > after) asked.push([after, scraped]);
    for (let resultNo = after + 1; resultNo <= scraped; resultNo++)
      yield { resultNo, document: Buffer.from(`{"n":${resultNo}}`) };
  }

  const present = ({ view, scraped }: LiveState): object => ({
    status: view.status,
    completed: scraped,
  });
  const follow = (watch: FakeWatch, keepAliveMs = 60_000): AsyncGenerator<WatchFrame> =>
    watchFrames({ watch, documents, present, signal: gone.signal, keepAliveMs });
  const document = (n: number): unknown => ({ type: 'document', data: { n } });
  const catchup = (status: string, completed: number): unknown => ({
    type: 'catchup',
    data: { status, completed },
  });

  async function take(frames: AsyncGenerator<WatchFrame>, count = 100): Promise<unknown[]> {
    const taken: unknown[] = [];
    while (taken.length < count) {
      const { value, done } = await frames.next();
      if (done) break;
      taken.push(seen(value));
    }
    return taken;
  }

  it('are the state without documents, then each document', async () => {
    expect(await take(follow(new FakeWatch(2)), 3)).toEqual([
      catchup('running', 2),
      document(1),
      document(2),
    ]);
  });

  it('of a job that completes end with `done`, after every document', async () => {
    const watch = new FakeWatch(1);
    const frames = follow(watch);
    await take(frames, 2);
    watch.move(liveStateOf('completed', 3));
    expect(await take(frames)).toEqual([
      document(2),
      document(3),
      { type: 'done', data: { status: 'completed', completed: 3 } },
      [1000, 'the job is completed'],
    ]);
  });

  it.each(['failed', 'cancelled'])(
    'of a job that is %s end with its state: `done` means completed',
    async (status) => {
      const watch = new FakeWatch(0);
      watch.move(liveStateOf(status, 1));
      expect(await take(follow(watch))).toEqual([
        document(1),
        catchup(status, 1),
        [1000, `the job is ${status}`],
      ]);
    },
  );

  it('of a job that had ended begin with its documents: a watcher stops at a final state', async () => {
    const watch = new FakeWatch(0);
    watch.move(liveStateOf('completed', 2));
    expect((await take(follow(watch))).slice(0, 2)).toEqual([document(1), document(2)]);
  });

  it('contain only the last of the changes made while the reader was busy', async () => {
    const watch = new FakeWatch(0);
    const frames = follow(watch);
    await take(frames, 1);
    for (let scraped = 1; scraped <= 5; scraped++) watch.move(liveStateOf('running', scraped));
    expect(await take(frames, 2)).toEqual([catchup('running', 5), document(1)]);
    expect(asked).toEqual([[0, 5]]);
  });

  it('end a watcher when the job is deleted: an error, then a final state', async () => {
    const watch = new FakeWatch(0);
    const frames = follow(watch);
    await take(frames, 1);
    watch.move(null);
    expect(await take(frames)).toEqual([
      { type: 'error', error: 'The job was deleted.' },
      { type: 'catchup', data: expect.objectContaining({ status: 'failed', data: [] }) },
      [1008, 'The job was deleted.'],
    ]);
  });

  it('are pings while nothing happens', async () => {
    expect((await take(follow(new FakeWatch(0), 5), 4)).slice(1)).toEqual(['ping', 'ping', 'ping']);
  });

  it.each(['while they wait', 'in the middle of documents'])(
    'end with 1001 when the process stops %s',
    async (when) => {
      const watch = new FakeWatch(when === 'while they wait' ? 0 : 1_000);
      const frames = follow(watch);
      await take(frames, 1);
      const rest = take(frames);
      watch.stop();
      expect((await rest).at(-1)).toEqual([1001, 'this server is shutting down']);
      expect((await rest).length).toBeLessThan(3);
    },
  );

  it('end when the reader disconnects, even if nothing happens', async () => {
    const frames = follow(new FakeWatch(0));
    await take(frames, 1);
    const rest = take(frames);
    gone.abort();
    expect(await rest).toEqual([]);
  });

  it('are not read ahead of the reader', async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<NumberedDocument> {
      for (;;) yield { resultNo: ++read, document: Buffer.from('{}') };
    }
    const watch = new FakeWatch(1_000);
    await take(watchFrames({ watch, documents: counted, present, signal: gone.signal }), 4);
    expect(read).toBe(3);
  });
});

describe('the end of a WebSocket', () => {
  it('has a reason of ASCII within the 123 bytes of the protocol', () => {
    const frame = closeFrame(1000, `é\n${'x'.repeat(500)}`);
    expect(frame).toEqual({ kind: 'close', code: 1000, reason: `??${'x'.repeat(98)}` });
  });

  it('names the error first, and ends with its code', () => {
    const frames = [...refusalFrames('Job not found', 1008)].map(seen);
    expect([frames[0], frames.at(-1)]).toEqual([
      { type: 'error', error: 'Job not found' },
      [1008, 'Job not found'],
    ]);
  });
});
