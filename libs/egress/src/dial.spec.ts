import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { dial } from './dial.js';
import { BlockedUrlError } from './egress-errors.js';
import type { EgressGuard } from './guard.js';

describe('dialling a vetted target', () => {
  it('closes a connection that the guard does not confirm', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ended = new Promise((resolve) =>
      server.once('connection', (socket: Socket) => socket.resume().once('close', resolve)),
    );
    const url = new URL(`http://site.example:${port}/`);
    const seen: unknown[] = [];
    const guard = {
      vet: async () => ({ addresses: ['127.0.0.1'], port }),
      confirm: (...args: unknown[]) => {
        seen.push(args[2]);
        throw new BlockedUrlError('connect', url.href);
      },
    } as unknown as EgressGuard;
    await expect(dial(guard, url, AbortSignal.timeout(60_000))).rejects.toThrow(BlockedUrlError);
    await ended;
    expect(seen).toEqual(['127.0.0.1']);
    server.close();
  });
});
