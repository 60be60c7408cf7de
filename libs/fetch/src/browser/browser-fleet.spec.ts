import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProcessRow } from '@app/processes';
import { endHeaviestPage } from './browser-fleet.js';

const GIB = 1024 ** 3;

const heavy = (pid: number): ProcessRow => ({
  pid,
  parentPid: 1,
  groupId: pid,
  isZombie: false,
  startTime: '1',
  ownBytes: GIB,
  sharedBytes: 0,
});

describe('a browser above the hard cap of memory', () => {
  it('lives on when its heaviest process has ended since it was measured', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(await endHeaviestPage([heavy(Number(child.pid))])).toBe(true);
  });

  it('has no heavy page when what is heavy is no page, or no process is', async () => {
    expect(await endHeaviestPage([heavy(process.pid)])).toBe(false);
    expect(await endHeaviestPage([{ ...heavy(process.pid), ownBytes: 1 }])).toBe(false);
  });
});
