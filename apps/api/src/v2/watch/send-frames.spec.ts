import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '@app/testing';
import { refuseMessages, sendFrames } from './job-watch.js';
import type { WatchFrame } from './watch-frames.js';

const MEGABYTE = 1024 * 1024;

/** A server whose sockets the test serves, and a client of it. */
async function pair(): Promise<{
  readonly client: WebSocket;
  readonly socket: WebSocket;
  readonly connection: Socket;
  close(): void;
}> {
  const server = new WebSocketServer({ port: 0, autoPong: false, maxPayload: 256 });
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket, { socket: Socket }]>;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on('error', () => undefined);
  const [[socket, { socket: connection }]] = await Promise.all([accepted, once(client, 'open')]);
  socket.on('error', () => undefined);
  const close = (): void => {
    client.terminate();
    socket.terminate();
    server.close();
  };
  return { client, socket, connection, close };
}

describe('the sending of frames to a watcher', () => {
  let ends: Awaited<ReturnType<typeof pair>>;

  beforeEach(async () => {
    ends = await pair();
  });
  afterEach(() => ends.close());

  it('cuts off a reader that reads nothing, before much was produced for it', async () => {
    const { client, socket, connection } = ends;
    client.pause();
    let produced = 0;
    function* frames(): Generator<WatchFrame> {
      for (; produced < 1_000; produced++)
        yield { kind: 'text', text: Buffer.alloc(MEGABYTE, 'x') };
    }
    const sending = sendFrames(frames(), { socket, connection, stalledMs: 300 });
    await expect(sending).rejects.toThrow();
    // Those in the buffers of the kernel, and one.
    expect(produced).toBeLessThan(50);
    await until(() => socket.readyState === socket.CLOSED, { what: 'the end' });
  });

  it('cuts off a reader that answers no ping', async () => {
    const { client, socket, connection } = ends;
    client.pause();
    async function* pings(): AsyncGenerator<WatchFrame> {
      for (;;) {
        yield { kind: 'ping' };
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await sendFrames(pings(), { socket, connection, stalledMs: 200 });
    await until(() => socket.readyState === socket.CLOSED, { what: 'the end' });
  });

  it('sends the code and the reason of the end', async () => {
    const { client, socket, connection } = ends;
    const closed = once(client, 'close');
    const frames: WatchFrame[] = [{ kind: 'close', code: 1000, reason: 'done' }];
    await sendFrames(frames, { socket, connection });
    expect((await closed).map(String)).toEqual(['1000', 'done']);
  });

  it('answers pings of a client that reads, and ends a flood of them', async () => {
    const { client, socket } = ends;
    refuseMessages(socket);
    client.ping('one');
    expect(String((await once(client, 'pong'))[0])).toBe('one');
    for (let n = 0; n < 200; n++) client.ping();
    await until(() => socket.readyState === socket.CLOSED, { what: 'the end of the flood' });
  });

  it('ends a socket at the head of a message that is too large', async () => {
    const { client, socket } = ends;
    refuseMessages(socket);
    const closed = once(client, 'close');
    client.send(Buffer.alloc(10 * MEGABYTE));
    // The client may be writing still when the connection ends: it then sees no code.
    expect([1009, 1006]).toContain((await closed)[0]);
    await until(() => socket.readyState === socket.CLOSED, { what: 'the end' });
  });
});
