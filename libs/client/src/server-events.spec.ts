import { LineSplitter, readEvents } from './server-events.js';

const streamOf = (...chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    },
  });

describe('events of a stream', () => {
  it('are lost when the stream is silent for too long', async () => {
    const events = readEvents(streamOf('data: 1\n\n'), { silenceMs: 10 });
    expect((await events.next()).value).toMatchObject({ data: '1', event: 'message' });
    await expect(events.next()).rejects.toMatchObject({ code: 'network' });
  });

  it('have all lines of their data, and ignore unknown fields', async () => {
    const text = 'event: a\nother: x\nid\ndata: 1\ndata:2\n\n';
    const events = readEvents(streamOf(text));
    expect((await events.next()).value).toEqual({
      ...{ event: 'a', id: '', data: '1\n2', retryMs: undefined },
    });
    await events.return(undefined);
  });

  it('are bounded', () => {
    const lines = new LineSplitter(10);
    expect(lines.push('0123456789')).toEqual([]);
    expect(lines.push('\n0123456789')).toEqual(['0123456789']);
    expect(() => lines.push('0')).toThrow('exceeds 10 characters');
  });
});
