import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandLine, freePort } from '@app/processes';
import { descendantsOf, projectRoot, SpawnedProcess, until } from '@app/testing';

it('npm start brings a killed service back, and still ends on SIGTERM', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trawl-restart-'));
  const port = await freePort();
  const starter = SpawnedProcess.spawn({
    name: 'npm start',
    command: process.execPath,
    args: [path.join(projectRoot(), 'scripts/start.mjs'), 'standalone'],
    env: { PORT: String(port), METRICS_PORT: '0', DATA_DIR: dataDir, BROWSER_MAX: '0' },
    cwd: projectRoot(),
  });
  const isReady = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    return answer?.ok ?? false;
  };
  const servicePid = (): number =>
    descendantsOf(starter.pid).find(({ pid }) =>
      /standalone\/src\/main\.js/.test(commandLine(pid) ?? ''),
    )?.pid ?? 0;
  try {
    await until(isReady, { what: 'a ready service', timeoutMs: 90_000, intervalMs: 200 });
    const killed = servicePid();
    expect(killed).toBeGreaterThan(0);
    process.kill(killed, 'SIGKILL');
    await until(async () => ![0, killed].includes(servicePid()) && (await isReady()), {
      what: 'the service again',
      timeoutMs: 90_000,
      intervalMs: 200,
    });
    expect(await starter.stop('SIGTERM')).toMatchObject({ code: 0 });
  } finally {
    await starter.kill9();
    await rm(dataDir, { recursive: true, force: true });
  }
});
