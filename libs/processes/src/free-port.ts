import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports from which systems take one for each outgoing connection (Linux from 32,768 on): a free one of
 * those can be taken by any client before the server it is meant for listens. As in scripts/processes.mjs.
 */
const FREE_PORTS = { from: 20_000, to: 32_000 };
const MAX_TRIES = 100;

/** A free port, kept occupied until its owner is about to listen: no other server can take it meanwhile. */
export class ReservedPort {
  private constructor(
    readonly port: number,
    private readonly server: Server,
  ) {}

  /** Throws when none is free, and what `listen` throws for an unusable `host`. */
  static async on(host: string): Promise<ReservedPort> {
    const { from, to } = FREE_PORTS;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const port = randomInt(from, to);
      const server = await listening(port, host);
      if (server) return new ReservedPort(port, server);
    }
    throw new Error(`no free port on ${host} from ${from} to ${to}`);
  }

  /** Releases it; a second call does nothing. */
  async release(): Promise<void> {
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function listening(port: number, host: string): Promise<Server | null> {
  const server = createServer().unref();
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

/** A loopback port that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const reserved = await ReservedPort.on('127.0.0.1');
  await reserved.release();
  return reserved.port;
}
