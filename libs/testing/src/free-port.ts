import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** As scripts/processes.mjs has them, and why. */
const FROM = 20_000;
const TO = 32_000;
const MAX_TRIES = 100;

/** A loopback port that nothing listened on a moment ago, and that no client is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 from ${FROM} to ${TO}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}
