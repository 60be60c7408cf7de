import type { Command } from 'commander';
import type { SearchOutput } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { countOption } from './options.js';

interface SearchFlags extends GlobalFlags {
  readonly limit?: number;
  readonly scrape?: boolean;
  readonly country?: string;
}

export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .description('Search the web')
    .argument('<words...>', 'what to search for')
    .option('-n, --limit <count>', 'maximum number of results', countOption)
    .option('--scrape', 'also fetch each result as Markdown')
    .option('--country <code>', 'two letters')
    .action(async (words: string[], _: unknown, self: Command) => {
      const { limit, scrape, country, json, ...flags } = self.optsWithGlobals<SearchFlags>();
      const options = { limit, scrapeResults: scrape, country };
      const found = await cli.client(flags).search(words.join(' '), options, { signal: cli.signal }); // prettier-ignore
      await cli.terminal.write(json ? `${JSON.stringify(found, undefined, 2)}\n` : textOf(found));
    });
}

function textOf({ results }: SearchOutput): string {
  return results
    .map(({ position, title, url, snippet, markdown }) =>
      [`${position}. ${title}`, `   ${url}`, `   ${snippet}`, ...(markdown ? ['', markdown] : [])]
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('\n');
}
