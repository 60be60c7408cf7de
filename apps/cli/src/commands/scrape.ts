import type { Command } from 'commander';
import { PAGE_FORMATS, type ScrapeInput, type ScrapeOutput, type Trawl } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { PageFolder } from '../output/page-folder.js';
import { ended, markdownFile } from '../output/page-text.js';
import { paint } from '../output/terminal.js';
import {
  addPageOptions,
  countOption,
  namesOption,
  pageFields,
  urlArguments,
  useOption,
  type PageFlags,
} from './options.js';

interface ScrapeFlags extends GlobalFlags, PageFlags {
  readonly format?: readonly Extract<NonNullable<ScrapeInput['formats']>[number], string>[];
  readonly query?: string;
  readonly out?: string;
  readonly maxAge?: number;
  readonly ignoreRobots?: boolean;
  readonly respectUse?: ScrapeInput['respectUse'];
}

export function addScrape(program: Command, cli: Cli): void {
  const command = program
    .command('scrape')
    .description('Print pages as Markdown')
    .argument('<url...>', 'pages to fetch', urlArguments)
    .addOption(
      namesOption(
        '-f, --format <names>',
        'repeatable, or separated by commas; several need --json',
        [...PAGE_FORMATS, 'json', 'summary'],
      ),
    )
    .option('--query <question>', 'only the passages that answer it, best first')
    .option('-o, --out <folder>', 'write a file per page instead')
    .option('--max-age <ms>', 'accept a copy from the cache up to this age', countOption)
    .option('--ignore-robots', 'ignore robots.txt')
    .addOption(useOption());
  addPageOptions(command).action(async (urls: string[], _: unknown, self: Command) => {
    cli.exitCode = await new ScrapeRun(cli, self.optsWithGlobals<ScrapeFlags>()).run(urls);
  });
}

/** Scrapes pages one after the other. */
class ScrapeRun {
  private readonly trawl: Trawl;
  private readonly fields: ScrapeInput;

  constructor(
    private readonly cli: Cli,
    private readonly flags: ScrapeFlags,
  ) {
    const { query } = flags;
    const formats: ScrapeInput['formats'] =
      query === undefined
        ? flags.format && [...flags.format]
        : [...(flags.format ?? []), { type: 'passages', query }];
    if (!flags.json && ((formats?.length ?? 1) > 1 || (flags.out && formats)))
      throw new CliError('several formats are one JSON object', 'Add --json.');
    this.trawl = cli.client(flags);
    this.fields = {
      ...pageFields(flags),
      ...{ formats, maxAge: flags.maxAge, ignoreRobotsTxt: flags.ignoreRobots },
      respectUse: flags.respectUse,
      extractListing: flags.json === true,
    };
  }

  async run(urls: readonly string[]): Promise<ExitCode> {
    const { out, json = false } = this.flags;
    const options = { jobId: null, resume: false, asJson: json };
    const folder = out === undefined ? undefined : await PageFolder.open(out, options);
    let failures = 0;
    for (const url of urls)
      try {
        const page = await this.scrape(url);
        if (folder) await this.keep(folder, page);
        else await this.cli.terminal.write(this.textOf(page, urls.length));
      } catch (error) {
        // A single page ends the program with its error; of several the others go on.
        if (urls.length === 1 || this.cli.signal.aborted) throw error;
        failures++;
        this.cli.terminal.say(paint('red', 'trawl:'), ` ${url}: ${this.cli.describe(error).line}`);
      }
    await folder?.finish();
    if (failures === 0) return EXIT.ok;
    return failures === urls.length ? EXIT.failed : EXIT.partial;
  }

  private scrape(url: string): Promise<ScrapeOutput> {
    const { cli, flags, trawl, fields } = this;
    return cli.wait(url, flags, trawl.scrape(url, fields, { signal: cli.signal }));
  }

  private async keep(folder: PageFolder, page: ScrapeOutput): Promise<void> {
    const file = await folder.write(page);
    if (!this.flags.quiet) this.cli.terminal.say(`${page.url} → ${this.flags.out}/${file}`);
  }

  private textOf(page: ScrapeOutput, count: number): string {
    const { json, query, format: [format = 'markdown'] = [] } = this.flags;
    if (json) return `${JSON.stringify(page, undefined, count === 1 ? 2 : undefined)}\n`;
    if (query !== undefined) return passagesText(page);
    if (format !== 'markdown') return plainText(page.formats?.[format]);
    return count === 1 ? ended(page.markdown ?? '') : `${markdownFile(page)}\n`;
  }
}

/** Passages with the addresses that lead to them. */
function passagesText({ formats }: ScrapeOutput): string {
  const passages = formats?.passages ?? [];
  return ended(passages.map(({ text, url }) => `${url}\n\n${text}`).join('\n\n---\n\n'));
}

/** Text as it is, a list as lines, anything else as JSON. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return ended(value);
  const isLines = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isLines ? value.map((line) => `${line}\n`).join('') : `${JSON.stringify(value, undefined, 2)}\n`; // prettier-ignore
}
