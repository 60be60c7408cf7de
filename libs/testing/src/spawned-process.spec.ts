import { SpawnedProcess } from './spawned-process.js';
import { readProcess } from '@app/processes';

function spawnScript(script: string, maxLines?: number): SpawnedProcess {
  return SpawnedProcess.spawn({
    name: 'script',
    command: process.execPath,
    args: ['-e', script],
    maxLines,
  });
}

describe('SpawnedProcess', () => {
  it('finds lines and JSON logs, kept or to come, and stops at a signal', async () => {
    const script = spawnScript(
      `console.log('hello'); setTimeout(() => console.log('{"msg":"ready","url":"u"}'), 50); setInterval(() => {}, 1000)`,
    );
    await expect(script.waitForLine(/hel+o/)).resolves.toBe('hello');
    await expect(script.waitForLog((line) => line.msg === 'ready', 'ready')).resolves.toEqual({
      msg: 'ready',
      url: 'u',
    });
    await expect(script.stop()).resolves.toEqual({ code: null, signal: 'SIGTERM' });
    expect(script.hasExited).toBe(true);
  });

  it('fails with the exit and the tail of the output when the process dies instead', async () => {
    const script = spawnScript(`console.error('no database'); process.exit(3)`);
    await expect(script.waitForLine(/listening/)).rejects.toThrow(
      /script ended \(code 3\) before [^]*no database/,
    );
  });

  it('fails with the tail when the line does not arrive in time', async () => {
    const script = spawnScript(`console.log('starting'); setInterval(() => {}, 1000)`);
    await script.waitForLine(/starting/);
    await expect(script.waitForLine(/listening/, 50)).rejects.toThrow(/50 ms[^]*starting/);
    await script.kill9();
  });

  it('kills and complains about a process that ignores its signal', async () => {
    const script = spawnScript(
      `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`,
    );
    await script.waitForLine(/up/);
    await expect(script.stop('SIGTERM', 100)).rejects.toThrow(
      'did not end within 100 ms of SIGTERM',
    );
    expect(readProcess(script.pid)).toBeNull();
  });

  it('reports a command that does not exist', async () => {
    const missing = SpawnedProcess.spawn({ name: 'ghost', command: '/no/such/file', args: [] });
    await expect(missing.waitForLine(/x/)).rejects.toThrow(/ghost ended[^]*ENOENT/);
  });

  it('keeps only the last lines of a talkative process', async () => {
    const script = spawnScript(`for (let i = 0; i < 1000; i++) console.log('line ' + i)`, 10);
    await script.exited;
    expect(script.output).toHaveLength(10);
    expect(script.output.at(-1)).toBe('line 999');
  });
});
