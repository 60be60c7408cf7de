import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../until.js';
import { readProcess } from '@app/processes';
import { UsageMeter } from './usage-meter.js';

/** Burns CPU for the milliseconds of each line it reads, and says `done`. */
const BURNER = `
  const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const burn = (ms) => { const end = spent() + ms; while (spent() < end) for (let i = 0; i < 1e5; i++); };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (ms) => { burn(Number(ms)); console.log('done'); });
`;

/** Runs a burner below itself and ends when that one ends; with 'orphan' it leaves at once. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', process.argv[1]], { stdio: ['pipe', 'inherit', 'inherit'] });
  process.stdin.on('data', (data) => String(data).includes('leave') ? process.exit() : child.stdin.write(data));
  child.stdin.on('error', () => {});
`;

describe('UsageMeter', () => {
  const children: ChildProcess[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
  });

  function start(...args: string[]) {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    let done = 0;
    child.stdout.on('data', (data) => (done += String(data).split('done').length - 1));
    const burn = async (ms: number) => {
      const before = done;
      child.stdin.write(`${ms}\n`);
      await until(() => done > before);
    };
    return { child, pid: child.pid ?? 0, burn };
  }

  it('counts the CPU time of a process while it is measured, and not before', async () => {
    const { pid, burn } = start('-e', BURNER);
    await burn(300);
    const meter = UsageMeter.start({ app: [pid] });
    await burn(400);
    const usage = meter.stop();
    expect(usage.cpuMs.app).toBeGreaterThanOrEqual(380);
    expect(usage.cpuMs.app).toBeLessThan(600);
    expect(usage.totalCpuMs).toBe(usage.cpuMs.app);
    expect(usage.peakRssBytes).toBeGreaterThan(10_000_000);
    expect(usage.peakPssBytes).toBeGreaterThan(5_000_000);
    expect(usage.peakPssBytes).toBeLessThanOrEqual(usage.peakRssBytes * 1.1);
  });

  it('counts a child that starts and ends between two looks', async () => {
    const shell = spawn('sh', [], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(shell);
    let output = '';
    shell.stdout.on('data', (data) => (output += String(data)));
    const meter = UsageMeter.start({ shell: [shell.pid ?? 0] }, { intervalMs: 60_000 });
    const code =
      'const e = process.cpuUsage().user + 300000; while (process.cpuUsage().user < e) for (let i = 0; i < 1e5; i++);';
    shell.stdin.write(`${process.execPath} -e "${code}"; echo over\n`);
    await until(() => output.includes('over'));
    const { cpuMs } = meter.stop();
    expect(cpuMs.shell).toBeGreaterThanOrEqual(290);
    expect(cpuMs.shell).toBeLessThan(900);
  });

  it('does not count twice a child that ended and was reaped', async () => {
    const { child, pid, burn } = start('-e', PARENT, BURNER);
    const meter = UsageMeter.start({ app: [pid] }, { intervalMs: 10 });
    await burn(400);
    const before = meter.read().cpuMs.app ?? 0;
    const grandchild = await until(() => readProcess(pid) && meterChild(pid));
    process.kill(grandchild, 'SIGKILL');
    await until(() => readProcess(grandchild) === null);
    const after = meter.stop().cpuMs.app ?? 0;
    expect(child.exitCode).toBeNull();
    expect(before).toBeGreaterThanOrEqual(390);
    expect(Math.abs(after - before)).toBeLessThan(150);
  });

  it('keeps following a process whose parent died first, and what it used when it ends', async () => {
    const { pid, child, burn } = start('-e', PARENT, BURNER);
    const meter = UsageMeter.start({ app: [pid] }, { intervalMs: 10 });
    await burn(300);
    const orphan = await until(() => meterChild(pid));
    child.stdin?.write('leave\n');
    await until(() => readProcess(orphan)?.parentPid !== pid);
    const whole = meter.read().cpuMs.app ?? 0;
    expect(whole).toBeGreaterThanOrEqual(290);
    process.kill(orphan, 'SIGKILL');
    await until(() => [null, 'Z'].includes(readProcess(orphan)?.state ?? null));
    expect(meter.stop().cpuMs.app).toBeGreaterThanOrEqual(whole - 20);
  });

  it('keeps parts apart', async () => {
    const idle = start('-e', BURNER);
    const busy = start('-e', BURNER);
    await Promise.all([idle.burn(1), busy.burn(1)]);
    const meter = UsageMeter.start({ idle: [idle.pid], busy: [busy.pid], none: [] });
    await busy.burn(300);
    const { cpuMs } = meter.stop();
    expect(cpuMs.busy).toBeGreaterThanOrEqual(290);
    expect(cpuMs.idle).toBeLessThan(100);
    expect(cpuMs.none).toBe(0);
  });
});

function meterChild(pid: number): number | undefined {
  const text = readChildren(pid);
  return text === '' ? undefined : Number(text.split(' ')[0]);
}

function readChildren(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}
