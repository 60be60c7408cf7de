import { CommanderError, Command } from 'commander';
import { CLIENT_VERSION } from '@app/client';
import { Cli, Interrupted, type CliSetting } from './cli.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { OutputClosed, paint } from './output/terminal.js';
import { repeated } from './commands/options.js';
import { addCompletion } from './commands/completion.js';
import { addCrawl } from './commands/crawl.js';
import { addDoctor } from './commands/doctor.js';
import { addExtract } from './commands/extract.js';
import { addFind } from './commands/find.js';
import { addJobs } from './commands/jobs.js';
import { addLogin } from './commands/login.js';
import { addMap } from './commands/map.js';
import { addParse } from './commands/parse.js';
import { addScrape } from './commands/scrape.js';
import { addScreenshot } from './commands/screenshot.js';
import { addSearch } from './commands/search.js';
import { registerMcp } from './mcp/register-mcp.js';

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

const AFTER_HELP = `
Exit codes: 0 done; 1 failed; 2 wrong command line or configuration; 3 some pages failed;
4 the service cannot be reached or is busy, try again; 130 interrupted.
Start with: trawl login, then trawl scrape https://example.com/`;

/** The commands of `trawl`. Parsing rejects with CommanderError instead of ending the process. */
function buildProgram(cli: Cli): Command {
  const { terminal } = cli;
  const program = new Command('trawl')
    .description('Clean data from web pages and sites, by a Trawl service')
    .version(CLIENT_VERSION)
    .option('--url <address>', 'address of the service (or TRAWL_URL, or trawl login)')
    .option('--key <key>', 'API key; visible to other users: prefer TRAWL_API_KEY or trawl login')
    .option('--json', 'results as JSON')
    .option('-q, --quiet', 'only results and errors')
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(trawl --help lists the commands and options)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .hook('preAction', (_, command) => void (cli.command = command))
    .configureOutput({
      // A reader that has closed the output needs no help text.
      writeOut: (text) => void terminal.write(text).catch(() => undefined),
      writeErr: (text) => terminal.say(text.trimEnd()),
    });
  addCommands(program, cli);
  for (const command of program.commands) command.showHelpAfterError(helpLine(command));
  return program;
}

/** Below an error of the command line: two values of one option are a common one. */
function helpLine(command: Command): string {
  const help = `trawl ${command.name()} --help lists its options`;
  const isRepeatable = command.options.some(({ parseArg }) => parseArg === repeated);
  return isRepeatable ? `(an option takes one value: repeat it for more; ${help})` : `(${help})`;
}

/** Every command adds itself, in the order of the help text. One that serves others takes `accessFor(program)`. */
function addCommands(program: Command, cli: Cli): void {
  addScrape(program, cli);
  addCrawl(program, cli);
  addMap(program, cli);
  addExtract(program, cli);
  addParse(program, cli);
  addScreenshot(program, cli);
  addSearch(program, cli);
  addJobs(program, cli);
  addFind(program, cli);
  addLogin(program, cli);
  addDoctor(program, cli);
  registerMcp(program, cli);
  addCompletion(program, cli);
}
