import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError } from '../cli-error.js';

/** What `trawl login` keeps. */
export interface SavedLogin {
  readonly url: string;
  readonly apiKey: string;
}

const OTHERS = 0o077;
const MAX_BYTES = 64 * 1024;

/** $XDG_CONFIG_HOME/trawl/config.json, by default in ~/.config. A relative XDG_CONFIG_HOME is invalid and ignored. */
export function loginFile(configHome: string | undefined): string {
  const isUsable = configHome !== undefined && path.isAbsolute(configHome);
  return path.join(isUsable ? configHome : path.join(homedir(), '.config'), 'trawl/config.json');
}

/**
 * The saved login; undefined if there is none.
 * @throws CliError if other users may read the file, or if it is damaged
 */
export function readLogin(file: string): SavedLogin | undefined {
  const text = readPrivate(file);
  if (text === undefined) return undefined;
  const saved = parse(text);
  if (saved === undefined)
    throw new CliError(
      `${file} is not a login of trawl`,
      'Run trawl login, which writes it again, or delete the file.',
    );
  return saved;
}

/** Replaces the file as a whole; only its owner may read it. */
export function writeLogin(file: string, login: SavedLogin): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const text = `${JSON.stringify(login, undefined, 2)}\n`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  renameSync(draft, file);
}

/** Checks the open file, so that it cannot be exchanged between the check and the reading. */
function readPrivate(file: string): string | undefined {
  const handle = openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    const { mode, size } = fstatSync(handle);
    // Windows has no such bits: its users' profiles are private.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new CliError(
        `${file} holds your API key, and other users may read it`,
        `Run chmod 600 ${file}, and create a new key if the machine has other users.`,
      );
    return size > MAX_BYTES ? '' : readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CliError(`cannot read ${file}: ${message}`, 'Check who owns the file.');
  }
}

function parse(text: string): SavedLogin | undefined {
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<SavedLogin>;
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : undefined;
  } catch {
    return undefined; // The caller names the file.
  }
}
