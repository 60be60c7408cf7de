import type { Command } from 'commander';
import type { SearchOutput } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { paint, type TextPart } from '../output/terminal.js';
import { countOption } from './options.js';

interface SearchFlags extends GlobalFlags {
  readonly limit?: number;
  readonly scrape?: boolean;
  readonly country?: string;
  readonly maxTokens?: number;
}

export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .description('Search the web')
    .argument('<query...>', 'what to search for')
    .option('-n, --limit <count>', 'maximum number of results (default: 10)', countOption)
    .option('--scrape', 'also fetch each result as Markdown')
    .option('--max-tokens <n>', 'with --scrape: cut each page to so many tokens', countOption)
    .option('--country <code>', 'two letters')
    .action(async (words: string[], _: unknown, self: Command) => {
      const { limit, scrape, country, maxTokens, json, ...flags } =
        self.optsWithGlobals<SearchFlags>();
      const options = { limit, scrapeResults: scrape, country, maxTokens };
      const query = words.join(' ');
      const request = cli.client(flags).search(query, options, { signal: cli.signal });
      const found = await cli.wait(query, flags, request);
      if (json) return cli.terminal.write(`${JSON.stringify(found, undefined, 2)}\n`);
      await cli.terminal.write(...partsOf(found));
      if (found.results.length === 0 && !flags.quiet) cli.terminal.say('Nothing was found.');
    });
}

function partsOf({ results }: SearchOutput): readonly TextPart[] {
  return results.flatMap(({ position, title, url, snippet, markdown }, at) => [
    ...(at === 0 ? [] : ['\n']),
    ...[`${position}. `, paint('bold', title), '\n   ', paint('cyan', url), `\n   ${snippet}\n`],
    ...(markdown ? [`\n${markdown}\n`] : []),
  ]);
}
