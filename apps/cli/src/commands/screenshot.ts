import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Option, type Command } from 'commander';
import type { Schemas, ScreenshotInput } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import { countOption, readJsonText, urlArgument } from './options.js';

interface ScreenshotFlags extends GlobalFlags {
  readonly out?: string;
  readonly format?: 'png' | 'jpeg';
  readonly fullPage: boolean;
  readonly scroll: boolean;
  readonly width?: number;
  readonly mobile?: boolean;
  readonly waitFor?: number;
  readonly element?: string;
  readonly cookies?: string;
}

export function addScreenshot(program: Command, cli: Cli): void {
  program
    .command('screenshot')
    .description('Take a picture of a page')
    .argument('<url>', 'page to show', urlArgument)
    .option('-o, --out <file>', 'write the picture into this file, not to standard output')
    .addOption(
      new Option('-f, --format <name>', 'default: by the name of --out, else png').choices([
        'png',
        'jpeg',
      ]),
    )
    .option('--no-full-page', 'only the part that is visible without scrolling')
    .option('--no-scroll', 'take the page as it is, without scrolling through it first')
    .option(
      '--width <pixels>',
      'width of the window (default: 1280, 390 with --mobile)',
      countOption,
    )
    .option('--mobile', 'as on a phone')
    .option('--wait-for <ms>', 'wait after the content was loaded (default: 1000)', countOption)
    .option('--element <selector>', 'only the first element that matches (CSS)')
    .option('--cookies <file>', 'file with a JSON array of name, value and domain; or that JSON')
    .action(async (url: string, _: unknown, self: Command) => {
      const flags = self.optsWithGlobals<ScreenshotFlags>();
      await requireTarget(flags, cli);
      const fields = await screenshotFields(flags);
      const request = cli.client(flags).screenshot(url, fields, { signal: cli.signal });
      const taken = await cli.wait(url, flags, request);
      if (flags.json) await cli.terminal.write(`${JSON.stringify(taken, undefined, 2)}\n`);
      if (flags.out !== undefined || !flags.json) await keep(await imageOf(taken, cli), flags, cli);
      if (flags.out !== undefined && !flags.quiet)
        cli.terminal.say(`${taken.url} → ${flags.out} (${taken.width} × ${taken.height})`);
      if (!taken.clipped) return;
      cli.terminal.say('trawl: the page is longer than the longest picture: its end is missing');
      cli.exitCode = EXIT.partial;
    });
}

/** Before anything is charged. @throws CliError */
async function requireTarget({ out, json }: ScreenshotFlags, { terminal }: Cli): Promise<void> {
  if (out === undefined) {
    if (json || !terminal.isOutputShown) return;
    throw new CliError('a terminal cannot show the picture', 'Add --out page.png, or redirect it: > page.png.'); // prettier-ignore
  }
  const folder = path.dirname(out);
  await access(folder, constants.W_OK).catch(() => {
    throw new CliError(`cannot write into ${folder}`, 'Create the folder, or name another file with --out.'); // prettier-ignore
  });
}

async function screenshotFields(flags: ScreenshotFlags): Promise<ScreenshotInput> {
  const { fullPage, scroll, width, mobile, waitFor, element, cookies, out = '' } = flags;
  const format = flags.format ?? (/\.jpe?g$/i.test(out) ? 'jpeg' : undefined);
  return {
    ...{ fullPage, scroll, width, mobile, waitFor, element, format },
    cookies: cookies === undefined ? undefined : await readJsonText('--cookies', cookies),
  };
}

async function imageOf(taken: Schemas['ScreenshotResult'], cli: Cli): Promise<Buffer> {
  if (taken.imageUrl === undefined) return Buffer.from(taken.base64 ?? '', 'base64');
  const response = await cli.download(taken.imageUrl).catch((error: unknown) => {
    cli.signal.throwIfAborted();
    throw lost(taken.imageUrl, (error as Error).message);
  });
  if (!response.ok) throw lost(taken.imageUrl, `HTTP ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function lost(url: string | undefined, reason: string): CliError {
  return new CliError(`cannot download the picture: ${reason}`, `It is at ${url}`, EXIT.failed);
}

async function keep(image: Buffer, { out }: ScreenshotFlags, { terminal }: Cli): Promise<void> {
  if (out === undefined) return terminal.writeBytes(image);
  await writeFile(out, image);
}
