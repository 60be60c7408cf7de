import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { lowerSession } from './session-niceness.js';

describe('the niceness of a session', () => {
  let leader: ChildProcess;
  let pid: number;
  beforeEach(async () => {
    leader = spawn('sleep', ['60'], { detached: true });
    await once(leader, 'spawn');
    pid = leader.pid ?? 0;
    setPriority(pid, Math.max(7, getPriority()));
  });
  afterEach(async () => {
    const ended = once(leader, 'exit');
    leader.kill();
    await ended;
  });

  /** Writes that fail with these codes, one after the other, before one succeeds. */
  async function writesWith(...codes: readonly string[]): Promise<readonly [string, string][]> {
    const written: [string, string][] = [];
    await lowerSession(pid, async (file, text) => {
      written.push([file, text]);
      const code = codes[written.length - 1];
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    });
    return written;
  }

  it('becomes that of its leader', async () => {
    expect(await writesWith()).toEqual([[`/proc/${pid}/autogroup`, String(getPriority(pid))]]);
  });

  it('is tried again while the kernel is busy with another session', async () => {
    expect(await writesWith('EAGAIN', 'EAGAIN')).toHaveLength(3);
  });

  it('stays where the kernel has none, or the process is gone', async () => {
    expect(await writesWith('ENOENT')).toHaveLength(1);
  });
});
