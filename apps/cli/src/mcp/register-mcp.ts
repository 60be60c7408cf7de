import { CLIENT_VERSION } from '@app/client';
import type { Command } from 'commander';
import { accessFor, type Cli } from '../cli.js';
import { serveTools } from './stdio/serve-tools.js';

/** Adds the command that serves the tools of this service to a model, over standard input and output. */
export function registerMcp(program: Command, { interrupt, terminal }: Cli): void {
  program
    .command('mcp')
    .description('serve the service as tools for a model: MCP over standard input and output')
    .action(async () => {
      // Standard output carries the protocol and nothing else: what a package prints goes to standard error.
      console.log = console.info = console.debug = console.error;
      const { stdin: input, stdout: output } = process;
      await serveTools({
        ...{ input, output, version: CLIENT_VERSION, stop: interrupt },
        findAccess: () => accessFor(program),
        log: (message) => terminal.say(`trawl mcp: ${message}`),
      });
    });
}
