import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../until.js';

/** A Chromium that is driven over a WebSocket, as one elsewhere would be. Stop it in the test that started it. */
export class RemoteChromium {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(executablePath: string): Promise<RemoteChromium> {
    const folder = mkdtempSync(path.join(tmpdir(), 'remote-chromium-'));
    const child = spawn(
      executablePath,
      [
        '--headless=shell',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--remote-debugging-port=0',
        `--user-data-dir=${folder}`,
        'about:blank',
      ],
      { stdio: 'ignore', detached: true },
    );
    const browser = new RemoteChromium(folder, child);
    await until(() => browser.wsUrl, { what: 'a remote Chromium' });
    return browser;
  }

  /** @throws when Chromium has not written its address yet, or only a part of it */
  get wsUrl(): string {
    const [port, target] = readFileSync(`${this.folder}/DevToolsActivePort`, 'utf8').split('\n');
    if (!port || !target) throw new Error('Chromium has not written where it listens yet.');
    return `ws://127.0.0.1:${port}${target}`;
  }

  async stop(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    const isGone = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.signalCode === null) {
      process.kill(-pid, 'SIGKILL');
      await isGone;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
