import { spawn } from 'node:child_process';
import { parseStat, readProcess } from '@app/processes';
import { until } from '../until.js';
import { listeningPid } from './listening-process.js';
import { idleShare, readMachineTimes } from './machine-load.js';
import { descendantsOf, processesWithMarker } from './process-table.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

describe('the process table', () => {
  it('reads a name with spaces and parentheses, and times in milliseconds', () => {
    const text =
      '42 (a (b) c) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 30 20 20 0 1 0 999 1 2 3 4 5 6 7 8 9';
    expect(parseStat(text)).toEqual({
      pid: 42,
      parentPid: 7,
      groupId: 42,
      name: 'a (b) c',
      state: 'S',
      ownCpuMs: 2_000,
      reapedCpuMs: 500,
      startTicks: 999,
    });
  });

  it('finds children of children, by ancestry and by a marker in the environment', async () => {
    const marker = `TRAWL_TEST_MARKER=${process.pid}-${Date.now()}`;
    const [name = '', value = ''] = marker.split('=');
    const child = spawn('sh', ['-c', 'sleep 30 & wait'], {
      env: { ...process.env, [name]: value },
      detached: true,
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(() => descendantsOf(child.pid ?? 0).some((entry) => entry.name === 'sleep'));
      const marked = processesWithMarker(marker).map((entry) => entry.name);
      expect(marked.sort()).toEqual(['sh', 'sleep']);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    }
    await until(() => processesWithMarker(marker).length === 0);
  });

  it('returns null for a process that does not exist', () => {
    expect(readProcess(2 ** 30)).toBeNull();
  });

  it.each(['127.0.0.1', '::1'])('finds who listens on a port of %s', async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    expect(listeningPid(port)).toBe(process.pid);
    await new Promise((resolve) => server.close(resolve));
    expect(listeningPid(port)).toBeNull();
  });

  it('reports the idle share of the machine between two readings', () => {
    const from = readMachineTimes('cpu 100 0 100 800 0 0 0 0 5 5\ncpu0 1');
    const to = readMachineTimes('cpu 150 0 150 850 50 0 0 0 9 9\ncpu0 1');
    expect(idleShare(from, to)).toBe(0.5);
    expect(idleShare(from, from)).toBe(0);
  });
});
