import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, until } from '@app/testing';

const MAIN = path.join(projectRoot(), 'dist/apps/cli/src/main.js');
const CLIENT = path.join(projectRoot(), 'dist/libs/client/src');

/** How a command ended, and its output. */
export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<CommandEnd>;
}

/** The Node that people have on this machine; inside npm scripts the pinned one comes first on the path. */
export function machineNode(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const usable = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => isExecutable(file));
  return usable ?? process.execPath;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `trawl` as a user has it: on the path of a shell, in a folder of its own, with `@trawl/client` installed there. */
export class UserShell {
  private constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @param access TRAWL_URL, TRAWL_API_KEY and whatever else the commands read */
  static async prepare(access: Readonly<Record<string, string>>): Promise<UserShell> {
    const folder = await mkdtemp(path.join(tmpdir(), 'trawl-cli-'));
    const bin = path.join(folder, '.bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'trawl'), `#!/bin/sh\nexec "\${NODE:-node}" ${MAIN} "$@"\n`);
    await chmod(path.join(bin, 'trawl'), 0o755);
    const client = path.join(folder, 'node_modules/@trawl/client');
    await cp(CLIENT, client, { recursive: true });
    const description = { name: '@trawl/client', type: 'module', exports: './index.js' };
    await writeFile(path.join(client, 'package.json'), JSON.stringify(description));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    const { NODE_COMPILE_CACHE } = process.env;
    const env = {
      PATH: [bin, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      NODE: process.execPath,
      XDG_CONFIG_HOME: path.join(folder, '.config'),
      ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
      ...access,
    };
    return new UserShell(folder, env);
  }

  /** A shell command; a pipe fails with any of its programs. */
  shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    return this.run(['bash', '--norc', '-o', 'pipefail', '-c', command], env);
  }

  run(
    [program = '', ...args]: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandEnd> {
    return new Promise((resolve) => {
      execFile(program, args, this.options(env), (error, out, err) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, err }),
      );
    });
  }

  start([program = '', ...args]: readonly string[], env = {}): RunningCommand {
    const child = spawn(program, args, this.options(env));
    let out = '';
    let err = '';
    child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
    const ended = new Promise<CommandEnd>((resolve) =>
      child.once('close', (code) => resolve({ code, out, err })),
    );
    return { child, out: () => out, err: () => err, ended };
  }

  /** Waits until a crawl has written a page into a folder. */
  async pageIn(folder: string): Promise<void> {
    const index = path.join(this.folder, folder, 'index.jsonl');
    const hasPage = (): boolean =>
      existsSync(index) && readFileSync(index, 'utf8').includes('position');
    await until(hasPage, { what: 'a page in the folder' });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private options(env: Readonly<Record<string, string>>) {
    return { cwd: this.folder, env: { ...this.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  }
}
