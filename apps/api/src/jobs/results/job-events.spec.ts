import type { StoredResult } from '@app/jobs';
import { FakeWatch, liveStateOf as stateOf } from '../../../test/fake-watch.js';
import { jobEvents } from './job-events.js';
import type { Watch } from './live-jobs.js';

describe('the events of a job', () => {
  let asked: (readonly [number, number])[];
  let gone: AbortController;

  beforeEach(() => {
    asked = [];
    gone = new AbortController();
  });

  async function* documents(after: number, most: number): AsyncGenerator<StoredResult> {
    asked.push([after, most]);
    for (let resultNo = after + 1; resultNo <= after + most; resultNo++)
      yield { resultNo, document: Buffer.from(`{"n":${resultNo}}`) };
  }

  const follow = (watch: Watch, after = 0, keepAliveMs = 60_000) =>
    jobEvents({ watch, after, documents, signal: gone.signal, keepAliveMs });

  async function take(events: AsyncGenerator<Buffer>, count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) {
      const { value, done } = await events.next();
      if (done) break;
      taken.push(value.toString().trimEnd());
    }
    return taken;
  }

  it('send the retry delay, the stored documents, then the state', async () => {
    expect(await take(follow(new FakeWatch(2)), 4)).toEqual([
      'retry: 2000',
      'event: document\nid: 1\ndata: {"n":1}',
      'event: document\nid: 2\ndata: {"n":2}',
      'event: status\ndata: {"status":"running","pages_scraped":2}',
    ]);
  });

  it('continue where the reader was', async () => {
    await take(follow(new FakeWatch(9), 7), 3);
    expect(asked).toEqual([[7, 2]]);
  });

  it('wait if the reader is ahead of the job', async () => {
    const watch = new FakeWatch(2);
    const events = follow(watch, 5);
    expect((await take(events, 2)).at(-1)).toContain('event: status');
    watch.move(stateOf('completed', 6));
    expect((await take(events, 3)).map((text) => text.split('\n')[1])).toEqual([
      'id: 6',
      'data: {"status":"completed","pages_scraped":6}',
      'id: end',
    ]);
  });

  it('send only the last of the changes made while the reader was busy', async () => {
    const watch = new FakeWatch(0);
    const events = follow(watch);
    await take(events, 2);
    for (let scraped = 1; scraped <= 5; scraped++) watch.move(stateOf('running', scraped));
    watch.move(stateOf('completed', 5));
    const rest = await take(events, 100);
    expect(rest.filter((text) => text.startsWith('event: status'))).toHaveLength(1);
    expect(rest.at(-1)).toBe('event: end\nid: end\ndata: {"status":"completed"}');
    expect(asked).toEqual([[0, 5]]);
  });

  it('end when the job is deleted', async () => {
    const watch = new FakeWatch(0);
    const events = follow(watch);
    await take(events, 2);
    watch.move(null);
    expect(await take(events, 100)).toEqual(['event: end\nid: end\ndata: {"status":"deleted"}']);
  });

  it('keep the connection alive while nothing happens', async () => {
    const events = follow(new FakeWatch(0), 0, 5);
    expect((await take(events, 5)).slice(2)).toEqual(Array(3).fill(': keep-alive'));
  });

  it.each(['while they wait', 'in the middle of documents'])(
    'end with a hint when the process stops %s',
    async (when) => {
      const watch = new FakeWatch(when === 'while they wait' ? 0 : 1_000);
      const events = follow(watch);
      await take(events, 2);
      const rest = take(events, 100);
      watch.stop();
      expect((await rest).at(-1)).toBe('retry: 1000\n: stopping');
      expect((await rest).length).toBeLessThan(3);
    },
  );

  it('end when the reader disconnects, even if nothing happens', async () => {
    const watch = new FakeWatch(0);
    const events = follow(watch);
    await take(events, 2);
    const rest = take(events, 1);
    gone.abort();
    expect(await rest).toEqual([]);
  });

  it('are not read ahead of the reader', async () => {
    let read = 0;
    const watch = new FakeWatch(1_000);
    async function* counted(after: number): AsyncGenerator<StoredResult> {
      for (; ; read++) yield { resultNo: after + read + 1, document: Buffer.from('{}') };
    }
    const events = jobEvents({ watch, after: 0, documents: counted, signal: gone.signal });
    await take(events, 4);
    expect(read).toBeLessThanOrEqual(3);
  });
});
