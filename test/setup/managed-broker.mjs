// A RabbitMQ with its management API, for one test: says {"msg":"listening","url":…,"management":…} and runs until its
// standard input is closed, which it is when the test is gone.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { freePort } from '../../scripts/processes.mjs';
import { rabbitmq, startRabbit } from '../../scripts/services/rabbitmq.mjs';

const dir = mkdtempSync(path.join(os.tmpdir(), 'trawl-rabbit-'));
const management = await freePort();
const ports = { amqp: await freePort(), dist: await freePort(), epmd: await freePort() };
const state = await startRabbit({ dir, log: console.error, ports: { ...ports, management } });
console.log(JSON.stringify({ msg: 'listening', url: state.url, management }));

process.stdin.resume();
process.stdin.once('end', async () => {
  await rabbitmq.stop(state);
  rmSync(dir, { recursive: true, force: true });
});
