import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { KeptConnections } from './kept-connections.js';

const NEVER_MS = 1e9;

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
