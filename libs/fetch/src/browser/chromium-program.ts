import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 10_000;

/**
 * Variables that this Chromium needs. The one that `npm start` unpacks has fonts and, on a bare server, libraries
 * beside it (scripts/chromium.mjs); one of a distribution has neither.
 */
export function chromiumEnvironment(executablePath: string): Record<string, string> {
  const beside = (name: string): string => path.join(path.dirname(executablePath), name);
  const [fonts, libraries] = [beside('fonts.conf'), beside('lib/libnss3.so')];
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...(existsSync(fonts) ? { FONTCONFIG_FILE: fonts } : {}),
    ...(existsSync(libraries) ? { LD_LIBRARY_PATH: path.dirname(libraries) } : {}),
  };
}

/** `156.0.8078.79`, as the program itself reports it; null if it does not. */
export async function chromiumVersion(executablePath: string): Promise<string | null> {
  try {
    const options = { timeout: TIMEOUT_MS, env: chromiumEnvironment(executablePath) };
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], options);
    return /\b\d+(?:\.\d+){3}\b/.exec(stdout)?.[0] ?? null;
  } catch {
    // It does not run: the launch that follows says why.
    return null;
  }
}
