import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { KeptConnections } from './kept-connections.js';

const NEVER_MS = 1e9;
/** Steps of a client. */
const [OPENED, SENT] = [1, 2];
/** A client in a worker thread: it connects and sends its request when the test says so. */
const CLIENT = `
  const { connect } = require('node:net');
  const { workerData: { port, shared } } = require('node:worker_threads');
  const done = (step) => { Atomics.store(shared, 1, step); Atomics.notify(shared, 1); };
  let socket;
  const open = (then) => { socket = connect(port, '127.0.0.1', then).resume(); };
  const send = () => socket.write('GET / HTTP/1.1\\r\\nhost: a.example\\r\\n\\r\\n', () => done(${SENT}));
  Atomics.wait(shared, 0, 0);
  if (Atomics.load(shared, 0) === ${SENT}) open(send);
  else open(() => { done(${OPENED}); Atomics.wait(shared, 0, ${OPENED}); send(); });
`;
/** Longer than the time between two looks at the connections. */
const BUSY_MS = 50;

/** Makes the client take a step, while this thread does nothing else. */
function step(shared: Int32Array, to: number): void {
  const before = Atomics.exchange(shared, 0, to);
  Atomics.notify(shared, 0);
  Atomics.wait(shared, 1, before);
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
}

describe('connections between two requests', () => {
  let server: Server;
  let kept: KeptConnections;
  let agent: Agent;
  let isLast: boolean;
  let onRequest: () => void;

  beforeEach(async () => {
    isLast = false;
    onRequest = () => undefined;
    server = createServer((_request, response) => {
      onRequest();
      if (isLast) response.setHeader('connection', 'close');
      response.end('done');
    });
    kept = new KeptConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    agent = new Agent({ keepAlive: true });
  });
  afterEach(async () => {
    agent.destroy();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  async function call(): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return (await response.toArray()).join('');
  }

  it('are waited for until the next response has closed them', async () => {
    await call();
    let isAtRest = false;
    const rested = kept.atRest(NEVER_MS).then(() => (isAtRest = true));
    await call();
    expect(isAtRest).toBe(false);
    isLast = true;
    expect(await call()).toBe('done');
    await rested;
  });

  it.each(['is opened', 'has no request yet'])('are waited for when one %s', async (state) => {
    isLast = true;
    const order: string[] = [];
    onRequest = () => order.push('request');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    if (state === 'has no request yet') await once(server, 'connection');
    const rested = kept.atRest(NEVER_MS).then(() => order.push('rest'));
    socket.write('GET / HTTP/1.1\r\nhost: a.example\r\n\r\n');
    await once(socket.resume(), 'end');
    await rested;
    expect(order).toEqual(['request', 'rest']);
  });

  it.each(['is opened', 'is at rest'])(
    'are read once more when the event loop was busy while a request came to one that %s',
    async (state) => {
      const { port } = server.address() as AddressInfo;
      const shared = new Int32Array(new SharedArrayBuffer(8));
      const client = new Worker(CLIENT, { eval: true, workerData: { port, shared } });
      const ended = once(client, 'exit');
      await once(client, 'online');
      const isOpened = once(server, 'connection');
      if (state === 'is at rest') {
        step(shared, OPENED);
        await isOpened;
      }
      isLast = true;
      const order: string[] = [];
      onRequest = () => order.push('request');
      const rested = kept.atRest(0).then(() => order.push('rest'));
      // Nothing but this line runs in this thread until the request is sent and the next look is due.
      step(shared, SENT);
      await rested;
      expect(order).toEqual(['request', 'rest']);
      await ended;
    },
  );

  it('are not waited for when they were not used for so long', async () => {
    await call();
    await kept.atRest(0);
    await kept.atRest(100);
  });

  it('are waited for no longer than that, however many requests come', async () => {
    await call();
    let isAtRest = false;
    const rested = kept.atRest(100).then(() => (isAtRest = true));
    while (!isAtRest) await call();
    await rested;
  });

  it('are not waited for when the client has closed them, or there are none', async () => {
    await kept.atRest(NEVER_MS);
    await call();
    agent.destroy();
    await kept.atRest(NEVER_MS);
  });
});
