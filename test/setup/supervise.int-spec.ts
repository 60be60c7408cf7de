import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, until } from '@app/testing';

const SUPERVISE = pathToFileURL(path.join(projectRoot(), 'scripts/supervise.mjs')).href;

/**
 * Supervises a program that notes each of its starts in a file; `runs`: what it does in each, the
 * last for ever.
 */
class Supervised {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'supervise-'));
  readonly process: ChildProcess;
  said = '';

  constructor(runs: readonly string[], options: { restarts?: boolean; firstPause?: number } = {}) {
    const child = path.join(this.folder, 'child.mjs');
    writeFileSync(child, CHILD);
    const given = JSON.stringify({ restarts: true, firstPause: 10, ...options });
    this.process = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { spawn } from 'node:child_process';
       import { supervise } from '${SUPERVISE}';
       const start = () => spawn(process.execPath, [${JSON.stringify(child)}, ${JSON.stringify(JSON.stringify(runs))}],
         { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
       process.exitCode = await supervise(start, { ...${given}, watchNpm: () => () => {} });`,
    ]);
    this.process.stderr?.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
  }

  get pids(): readonly number[] {
    try {
      return readFileSync(path.join(this.folder, 'child.mjs.starts'), 'utf8')
        .trim()
        .split('\n')
        .map(Number);
    } catch {
      return [];
    }
  }

  async end(): Promise<{ code: number | null; starts: number; said: string }> {
    // Its last words may come after its end.
    const [code] = (await once(this.process, 'close')) as [number | null];
    return { code, starts: this.pids.length, said: this.said };
  }
}

const CHILD = `import { appendFileSync, readFileSync } from 'node:fs';
const log = process.argv[1] + '.starts';
appendFileSync(log, process.pid + '\\n');
const starts = readFileSync(log, 'utf8').trim().split('\\n').length;
const runs = JSON.parse(process.argv[2]);
const run = runs[Math.min(starts, runs.length) - 1];
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1000);
if (run.startsWith('ready')) await new Promise((resolve) => process.send('ready', resolve));
if (run.endsWith('kill')) process.kill(process.pid, 'SIGKILL');
if (run.endsWith('throw')) throw new Error('an error nobody caught');
const code = /exit (\\d+)$/.exec(run);
if (code) process.exit(Number(code[1]));
`;

describe('the supervisor of npm start', () => {
  let supervised: Supervised;
  const open = (...given: ConstructorParameters<typeof Supervised>) =>
    (supervised = new Supervised(...given));
  afterEach(() => {
    supervised.process.kill('SIGKILL');
    rmSync(supervised.folder, { recursive: true, force: true });
  });

  it('starts a service again that was killed, or died of an error', async () => {
    const runs = ['ready, kill', 'ready, throw', 'kill', 'ready, exit 0'];
    const { code, starts, said } = await open(runs).end();
    expect([code, starts]).toEqual([0, 4]);
    expect(said).toContain('the service ended by signal SIGKILL; starting it again in 0.01 s');
    expect(said).toContain('the service ended by exit code 1; starting it again in 0.02 s');
  });

  it.each([
    ['settings that do not hold', 'exit 78', 78],
    ['settings that no longer hold', 'ready, exit 78', 78],
    ['a start that says what is wrong', 'exit 1', 1],
    ['an orderly end', 'ready, exit 0', 0],
  ])('does not try again after %s', async (_name, run, code) => {
    expect(await open([run]).end()).toMatchObject({ code, starts: 1 });
  });

  it('gives up on one that dies again and again, and reports it', async () => {
    const { code, starts, said } = await open(['ready, exit 3']).end();
    expect([code, starts]).toEqual([3, 6]);
    expect(said).toContain(
      'the service ended 6 times in a row, the last time by exit code 3; given up',
    );
  });

  it('runs once under a supervisor that restarts it', async () => {
    const { code, starts } = await open(['ready, kill'], { restarts: false }).end();
    expect([code, starts]).toEqual([137, 1]);
  });

  it('ends the service on request', async () => {
    open(['ready, stay']);
    await until(() => supervised.pids.length === 1);
    // The child has its listener once it has noted its start and said that it is ready.
    supervised.process.kill('SIGTERM');
    const { code, starts } = await supervised.end();
    expect(starts).toBe(1);
    expect([0, 143]).toContain(code);
  });

  it('ends at once on request between two starts', async () => {
    open(['ready, kill'], { firstPause: 600_000 });
    await until(() => supervised.said.includes('starting it again'));
    supervised.process.kill('SIGTERM');
    expect(await supervised.end()).toMatchObject({ code: 137, starts: 1 });
  });
});
