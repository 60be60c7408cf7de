import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServer } from 'node:net';
import 'reflect-metadata';
import { findTenantByKey, issueSignInLink } from '@app/accounts';
import { runProcess, settingsOrExit, type Runtime } from '@app/runtime';
import { startApi } from '../../api/src/start-api.js';
import { startFetcher } from '../../fetcher/src/start-fetcher.js';
import { startTechScan } from '../../tech-scan/src/start-tech-scan.js';
import { runDoctor } from './doctor.js';
import { embeddedSettings, writePrivate } from './embedded-settings.js';
import { openDatabase } from './open-database.js';
import { renderingLine, welcomeText } from './welcome.js';

/** The reason why the API cannot listen there, or null. Checked before anything else starts. */
async function portProblem(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, () => resolve());
    });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      return `Port ${port} on ${host} is taken: Trawl may already be running, or another program uses it. Choose another port: PORT=${port + 1} npm start`;
    }
    return `Cannot listen on ${host}:${port} (${code ?? String(error)}). Set HOST and PORT to an address of this machine.`;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const given = settingsOrExit();
if (process.argv.includes('--doctor')) process.exit(await runDoctor(given));

const problem = await portProblem(given.host, given.port);
if (problem !== null) leave(problem);
const database = await openDatabase(given).catch((error: Error) => leave(error.message));
const settings = embeddedSettings(given, database.url);
void database.failed.then(async () => {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
});

/** A browser that does not start must not delay the first key. */
const LAUNCH_PATIENCE_MS = 10_000;
let welcome: (print: (text: string) => void) => Promise<void> = async () => undefined;

await runProcess(
  {
    component: 'standalone',
    migrate: true,
    settings,
    onReady: (print) => welcome(print),
    last: [{ name: 'stop database', run: () => database.stop() }],
  },
  async (runtime) => {
    // The fetcher first: its browser and its threads start on other cores while the API is built on this one.
    const [fetcher, techScan, api] = await Promise.all([
      startFetcher(runtime),
      startTechScan(runtime),
      startApi(runtime),
    ]);
    const keyFile = path.join(settings.dataDir, 'dev-key');
    const firstKey = await api.firstKey;
    if (firstKey !== null) writePrivate(keyFile, firstKey);
    const { exampleUrl } = settings;
    const shown = { url: api.url, firstKey, keyFile, exampleUrl };
    welcome = async (print) => {
      const late = setTimeout(LAUNCH_PATIENCE_MS, 'late' as const, { ref: false });
      const browser = await Promise.race([fetcher.tried, late]);
      const link = await linkForTerminal(runtime.database, api.url, keyFile);
      const rendering = renderingLine(browser, settings);
      print(welcomeText({ ...shown, rendering, signInLink: link }));
    };
    // The supervisor of this process now knows that it can run.
    process.send?.('ready');
    const drainMs = settings.drainSeconds * 1_000;
    return [
      { name: 'stop loops', run: () => api.stopLoops() },
      { name: 'drain fetcher', run: () => fetcher.drain(drainMs) },
      { name: 'drain tech-scan', run: () => techScan.drain(drainMs) },
      { name: 'close http', run: () => api.close(drainMs) },
      { name: 'close fetcher', run: () => fetcher.close() },
    ];
  },
);

/** Only on a terminal: a log that is kept or sent elsewhere must not sign a reader in. */
async function linkForTerminal(
  database: Runtime['database'],
  url: string,
  keyFile: string,
): Promise<string | null> {
  if (!process.stdout.isTTY || !existsSync(keyFile)) return null;
  const tenant = await findTenantByKey(database, readFileSync(keyFile, 'utf8').trim());
  return tenant && issueSignInLink(database, { tenantId: tenant.id, publicUrl: url });
}

function leave(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
