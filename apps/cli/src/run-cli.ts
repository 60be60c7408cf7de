import { CommanderError } from 'commander';
import { buildProgram } from './build-program.js';
import { Cli, Interrupted } from './cli.js';
import { describeError } from './cli-error.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { OutputClosed, type Terminal } from './output/terminal.js';

export interface CliSetting {
  readonly terminal: Terminal;
  readonly interrupt: AbortSignal;
}

/** Runs a command line, without the program's name. Returns the exit code; never rejects. */
export async function runCli(
  args: readonly string[],
  { terminal, interrupt }: CliSetting,
): Promise<ExitCode> {
  const cli = new Cli(terminal, interrupt);
  try {
    await buildProgram(cli).parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OutputClosed) return EXIT.ok;
    if (error instanceof Interrupted) return EXIT.interrupted;
    const { line, exitCode } = describeError(error);
    terminal.say(`trawl: ${line}`);
    return exitCode;
  }
}
