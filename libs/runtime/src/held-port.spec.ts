import { createServer } from 'node:net';
import { once } from 'node:events';
import { HeldPort } from './held-port.js';

describe('a held port', () => {
  it('is nobody else’s until it is let go, and can be listened on then', async () => {
    const held = await HeldPort.on('127.0.0.1');
    const early = createServer().listen(held.port, '127.0.0.1');
    const [error] = (await once(early, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('EADDRINUSE');
    await held.release();
    await held.release();
    const owner = createServer().listen(held.port, '127.0.0.1');
    await once(owner, 'listening');
    owner.close();
  });
});
