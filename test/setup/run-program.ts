import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '@app/testing';

const execute = promisify(execFile);

/** What a program ended with. */
export interface ProgramEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in the project's folder, with further variables in its environment, however it ends. */
export function programEnd(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd: projectRoot(), env: { ...process.env, ...env } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** What a program wrote; a failure shows all of it. */
export async function runProgram(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  };
  const { stdout } = await execute(program, args, options).catch((error: unknown) => {
    const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(args[0] ?? program)} failed\n${out}\n${stderr}`);
  });
  return stdout;
}

/** As `runProgram`, a script of this project or of its packages. */
export function runNode(folder: string, script: string, ...args: string[]): Promise<string> {
  return runProgram(folder, process.execPath, [path.join(projectRoot(), script), ...args], {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
}
