import { CommanderError } from 'commander';
import { buildProgram } from './build-program.js';
import { Cli, Interrupted, type CliSetting } from './cli.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { OutputClosed, paint } from './output/terminal.js';

/** Runs a command line, without the program's name. Returns the exit code; never rejects. */
export async function runCli(args: readonly string[], setting: CliSetting): Promise<ExitCode> {
  const cli = new Cli(setting);
  try {
    await buildProgram(cli).parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OutputClosed) return EXIT.ok;
    if (error instanceof Interrupted) return EXIT.interrupted;
    const { line, exitCode } = cli.describe(error);
    cli.terminal.say(paint('red', 'trawl:'), ` ${line}`);
    return exitCode;
  }
}
