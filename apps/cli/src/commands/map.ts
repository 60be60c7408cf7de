import type { Command } from 'commander';
import type { MapInput } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { countOption, sourcesOption, urlArgument } from './options.js';

interface MapFlags extends GlobalFlags {
  readonly limit?: number;
  readonly search?: string;
  readonly source?: MapInput['sources'];
}

export function addMap(program: Command, cli: Cli): void {
  program
    .command('map')
    .description('List the pages of a site, one URL per line, without fetching them')
    .argument('<url>', 'homepage, any page, or a list of pages of the site', urlArgument)
    .option('-n, --limit <count>', 'maximum number of URLs (default: 100)', countOption)
    .option('--search <text>', 'only URLs that contain this text')
    .addOption(sourcesOption())
    .action(async (url: string, _: unknown, self: Command) => {
      const { limit, search, source: sources, json, ...flags } = self.optsWithGlobals<MapFlags>();
      const { terminal, signal } = cli;
      const request = cli.client(flags).map(url, { limit, search, sources }, { signal });
      const found = await cli.wait(url, flags, request);
      const lines = found.links.map((link) => `${link}\n`).join('');
      await terminal.write(json ? `${JSON.stringify(found, undefined, 2)}\n` : lines);
      if (found.cuts?.includes('limit') && !flags.quiet)
        terminal.say(`trawl: the site has more than these ${found.total} URLs: see --limit, or the plan's maximum`); // prettier-ignore
      if (!found.timedOut) return;
      terminal.say('trawl: the time ran out: these are the URLs found by then');
      cli.exitCode = EXIT.partial;
    });
}
