import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 10_000;

/** `156.0.8078.79`, by the program's own word; null when it does not say. */
export async function chromiumVersion(executablePath: string): Promise<string | null> {
  try {
    const options = { timeout: TIMEOUT_MS, env: { PATH: '/usr/local/bin:/usr/bin:/bin' } };
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], options);
    return /\b\d+(?:\.\d+){3}\b/.exec(stdout)?.[0] ?? null;
  } catch {
    // It does not run: the launch that follows says why.
    return null;
  }
}
