import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { startLeakCheck } from './leak-check.js';

describe('startLeakCheck', () => {
  it('passes when nothing new is open', async () => {
    await expect(startLeakCheck().assertClean()).resolves.toBeUndefined();
  });

  it('names a socket and a child process that are left', async () => {
    const check = startLeakCheck();
    const server = createServer().listen(0, '127.0.0.1');
    const child = spawn('sleep', ['30'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      await expect(check.assertClean(100)).rejects.toThrow(/Server.*process \d+ sleep 30/);
    } finally {
      server.close();
      child.kill();
      await ended;
    }
    await check.assertClean();
  });
});
