import type { Command } from 'commander';
import type { TrawlAccess } from './calls/open-trawl.js';
import { serveTools } from './stdio/serve-tools.js';

/** Adds the command that serves the tools of this service to a model, over standard input and output. */
export function registerMcp(program: Command, access: () => TrawlAccess): void {
  program
    .command('mcp')
    .description('Serve the service as tools for a model: MCP over standard input and output')
    .action(async () => {
      await runMcp(access(), program.version() ?? '0.0.0');
      // A connection that is kept open for the next request would delay the end.
      process.exit(0);
    });
}

/** Standard output carries the protocol and nothing else: whatever a package prints goes to standard error. */
async function runMcp(access: TrawlAccess, version: string): Promise<void> {
  console.log = console.info = console.debug = console.error;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const log = (message: string): void => void process.stderr.write(`trawl mcp: ${message}\n`);
  const { stdin: input, stdout: output } = process;
  await serveTools({ ...access, version, input, output, stop: stop.signal, log });
}
