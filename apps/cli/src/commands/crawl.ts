import { Option, type Command } from 'commander';
import { PAGE_FORMATS } from '@app/client';
import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import type { CrawlFlags } from './crawl-flags.js';
import { CrawlRun } from './crawl-run.js';
import {
  addPageOptions,
  countOption,
  namesOption,
  repeated,
  sourcesOption,
  urlArgument,
  useOption,
} from './options.js';

export function addCrawl(program: Command, cli: Cli): void {
  const command = program
    .command('crawl')
    .description('Crawl a site: print its pages, or write a file per page')
    .argument('[url]', 'start page; the crawl stays on its host', urlArgument)
    .option('-n, --limit <count>', 'maximum number of pages (default: 10)', countOption)
    .option('--depth <links>', 'maximum distance from the start page', countOption)
    .option('--include <path>', 'only this path: /docs, or /blog/**; repeatable', repeated)
    .option('--exclude <path>', 'not this path; repeatable', repeated)
    .option('--backward', 'also follow links above the path of the start page')
    .option('--strict-scope', 'do not go on where the start page redirects to')
    .addOption(new Option('--sitemap <use>', 'sitemaps').choices(['include', 'skip', 'only']))
    .addOption(sourcesOption())
    .option('--ignore-robots', 'ignore robots.txt and robots directives')
    .addOption(useOption())
    .option('--webhook <url>', 'URL notified when the crawl ends')
    .addOption(
      namesOption(
        '-f, --format <names>',
        'with --json; repeatable, or separated by commas',
        PAGE_FORMATS,
      ),
    )
    .option('--since <job>', 'an earlier crawl of the site: fetch only what has changed')
    .option('--modified-since <date>', 'leave out pages whose site says that they are older')
    .option('--index', 'keep a search index for trawl find: the default up to 1,000 pages')
    .option('--no-index', 'keep no search index')
    .option('-o, --out <folder>', 'write a file per page')
    .option('--resume <job>', 'continue to read a job; with --out into the same folder')
    .option('--after <count>', 'with --resume: skip the first pages', countOption)
    .option('--detach', 'print the id of the job and exit')
    .option('--cancel-on-exit', 'Ctrl-C cancels the crawl instead of leaving it running');
  addPageOptions(command).action(async (url: string | undefined, _: unknown, self: Command) => {
    const flags = self.optsWithGlobals<CrawlFlags>();
    if ((url === undefined) === (flags.resume === undefined))
      throw new CliError('a crawl needs a URL or --resume', 'Name one of them.');
    if (flags.after !== undefined && flags.resume === undefined)
      throw new CliError('--after belongs to --resume', 'Leave it out for a new crawl.');
    if (flags.format && !flags.json)
      throw new CliError('pages with --format are JSON objects', 'Add --json.');
    cli.exitCode = await new CrawlRun(cli, flags).run(url);
  });
}
