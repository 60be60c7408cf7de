import { CLIENT_VERSION } from '@app/client';
import { Command } from 'commander';
import { addCommands } from './add-commands.js';
import type { Cli } from './cli.js';
import { repeated } from './commands/options.js';

const AFTER_HELP = `
Exit codes: 0 done; 1 failed; 2 wrong command line or configuration; 3 some pages failed;
4 the service cannot be reached or is busy, try again; 130 interrupted.
Start with: trawl login, then trawl scrape https://example.com/`;

/** The commands of `trawl`. Parsing rejects with CommanderError instead of ending the process. */
export function buildProgram(cli: Cli): Command {
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
