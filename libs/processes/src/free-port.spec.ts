import { createServer } from 'node:net';
import { once } from 'node:events';
import { ReservedPort } from './free-port.js';

describe('a reserved port', () => {
  it('cannot be taken by another process until it is released', async () => {
    const reserved = await ReservedPort.on('127.0.0.1');
    const early = createServer().listen(reserved.port, '127.0.0.1');
    const [error] = (await once(early, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('EADDRINUSE');
    await reserved.release();
    await reserved.release();
    const owner = createServer().listen(reserved.port, '127.0.0.1');
    await once(owner, 'listening');
    owner.close();
  });
});
