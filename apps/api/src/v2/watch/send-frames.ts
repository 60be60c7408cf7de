import type { WebSocket } from '@fastify/websocket';
import { KEEP_ALIVE_MS } from '../../jobs/results/job-events.js';
import { CLOSE } from './close-codes.js';
import type { WatchFrame } from './watch-frames.js';

/** A reader that shows no life for so long, by reading or by a pong, is cut off. */
const STALLED_MS = 120_000;
/** A client may send pings of its own; more of them, in the time between two of ours, are an attack. */
const MAX_CONTROL_FRAMES = 100;

export interface SendOptions {
  readonly socket: WebSocket;
  /** The connection of the socket. */
  readonly connection: { setTimeout(ms: number, then: () => void): unknown };
  /** @default STALLED_MS */
  readonly stalledMs?: number;
}

/**
 * Sends frames at the pace of the reader: the next one is read when the one before has left, so a reader that does not
 * read costs one frame. It is cut off when it takes nothing for `stalledMs`.
 */
export async function sendFrames(
  frames: AsyncIterable<WatchFrame> | Iterable<WatchFrame>,
  { socket, connection, stalledMs = STALLED_MS }: SendOptions,
): Promise<void> {
  let heardAt = performance.now();
  const hear = (): void => void (heardAt = performance.now());
  socket.on('pong', hear);
  // Bytes that leave count as life, those of a part of a frame too.
  connection.setTimeout(stalledMs, () => socket.terminate());
  for await (const frame of frames) {
    if (socket.readyState !== socket.OPEN) return;
    if (frame.kind === 'close') return socket.close(frame.code, frame.reason);
    if (frame.kind === 'ping') {
      if (performance.now() - heardAt > stalledMs) return socket.terminate();
      await sent((done) => socket.ping(undefined, undefined, done));
      continue;
    }
    await sent((done) => socket.send(frame.text, { binary: false }, done));
    hear();
  }
}

/**
 * A watcher has nothing to say: a message closes its stream. Pongs are not queued for a client that does not read them,
 * and a flood of control frames ends the connection. Attach it before anything is awaited.
 */
export function refuseMessages(socket: WebSocket): void {
  const isTooMany = floodMeter();
  const count = (): void => {
    if (isTooMany()) socket.terminate();
  };
  socket.on('message', () => socket.close(CLOSE.unsupported, 'this stream takes no messages'));
  socket.on('pong', count);
  socket.on('ping', (data: Buffer) => {
    count();
    if (socket.readyState === socket.OPEN && socket.bufferedAmount === 0) socket.pong(data);
  });
}

/** Counts control frames; true when one is too many for the time between two pings. */
function floodMeter(): () => boolean {
  let frames = 0;
  let sinceMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs > KEEP_ALIVE_MS) [frames, sinceMs] = [0, nowMs];
    frames++;
    return frames > MAX_CONTROL_FRAMES;
  };
}

function sent(send: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    send((error) => (error ? reject(error) : resolve()));
  });
}
