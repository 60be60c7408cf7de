import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { until } from '@app/testing';
import { sendGzipped, sendStream } from './send-stream.js';

const CHUNK = Buffer.alloc(64 * 1024, 'a');
/** Used by the test that waits for it; in the others no slow reader is cut off. */
const STALLED_MS = 200;
const NEVER_MS = 600_000;

describe('a stream as a response', () => {
  let server: FastifyInstance;
  let read = 0;
  let isClosed = false;

  /** Emits chunks as they are read, and reports its end. */
  async function* chunks(most: number): AsyncGenerator<Buffer> {
    try {
      for (read = 0; read < most; read++) yield CHUNK;
      if (most === 7) throw new Error('the source broke');
    } finally {
      isClosed = true;
    }
  }

  beforeEach(async () => {
    [read, isClosed] = [0, false];
    server = fastify({ forceCloseConnections: true });
    server.get<{ Params: Record<'how' | 'most' | 'stalledMs', string> }>(
      '/:how/:most/:stalledMs',
      async (asked, reply) => {
        const stream = Readable.from(chunks(Number(asked.params.most)), { objectMode: false });
        const send = asked.params.how === 'gzip' ? sendGzipped : sendStream;
        await send(reply, stream, Number(asked.params.stalledMs));
      },
    );
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => server.close());

  async function open(
    path: string,
    { method = 'GET', stalledMs = NEVER_MS } = {},
  ): Promise<IncomingMessage> {
    const { port } = server.server.address() as AddressInfo;
    const sent = request({
      host: '127.0.0.1',
      port,
      path: `${path}/${stalledMs}`,
      method,
      agent: false,
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
  const bodyOf = async (response: IncomingMessage) =>
    Buffer.concat((await response.toArray()) as Buffer[]);

  it.each(['plain', 'gzip'])('comes whole, %s', async (how) => {
    const body = await bodyOf(await open(`/${how}/20`));
    expect((how === 'gzip' ? gunzipSync(body) : body).length).toBe(20 * CHUNK.length);
    expect(isClosed).toBe(true);
  });

  it.each(['plain', 'gzip'])('breaks off when its source fails, %s', async (how) => {
    await expect(bodyOf(await open(`/${how}/7`))).rejects.toThrow('aborted');
  });

  it("is read at the reader's pace, and ends when the reader stalls", async () => {
    const response = await open('/plain/1000000', { stalledMs: STALLED_MS });
    response.once('error', () => undefined); // it is cut off: the point of this test
    await until(() => isClosed, { what: 'the stream to be ended' });
    expect(read).toBeLessThan(500);
  });

  it.each(['plain', 'gzip'])('ends when its reader disconnects, %s', async (how) => {
    const response = await open(`/${how}/1000000`);
    response.destroy();
    await until(() => isClosed, { what: 'the stream to be ended' });
  });

  it.each(['plain', 'gzip'])('is not read for HEAD, %s', async (how) => {
    const response = await open(`/${how}/1000000`, { method: 'HEAD' });
    expect(response.statusCode).toBe(200);
    expect(await bodyOf(response)).toHaveLength(0);
    expect(read).toBeLessThan(5);
  });
});
