import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const BOUND_MS = 100_000;

/** A folder like a second checkout that shares the installed packages by a link. */
function linkedCheckout(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'trawl-linked-'));
  for (const name of readdirSync(ROOT)) {
    if (name === 'dist' || name.startsWith('.')) continue;
    if (name === 'scripts')
      cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    else symlinkSync(path.join(ROOT, name), path.join(folder, name));
  }
  symlinkSync(path.join(ROOT, '.swcrc'), path.join(folder, '.swcrc'));
  return folder;
}

/** Exit code, or null when it had to be ended: a script that starts itself again never does. */
function exitOf(folder: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
      timeout: 0,
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), BOUND_MS);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

describe('a checkout whose node_modules is a link', () => {
  it.each([
    [['scripts/services.mjs', 'env'], 0],
    [['scripts/test.mjs', '--suite', 'unknown'], 1],
  ])('runs %j once, not in an endless chain', async (args, exitCode) => {
    const folder = linkedCheckout();
    try {
      expect(await exitOf(folder, args)).toBe(exitCode);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves the packages it leads to alone when they are not those of package-lock.json', async () => {
    const folder = linkedCheckout();
    const packages = mkdtempSync(path.join(tmpdir(), 'trawl-packages-'));
    try {
      mkdirSync(path.join(packages, 'of-another-checkout'));
      rmSync(path.join(folder, 'node_modules'));
      symlinkSync(packages, path.join(folder, 'node_modules'));
      expect(await exitOf(folder, ['scripts/services.mjs', 'env'])).toBe(1);
      expect(readdirSync(packages)).toEqual(['of-another-checkout']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(packages, { recursive: true, force: true });
    }
  });
});
