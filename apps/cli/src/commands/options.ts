import { InvalidArgumentError, type Command } from 'commander';
import type { Schemas } from '@app/client';
import { CliError } from '../cli-error.js';

/** Parser of options that are counts. */
export function countOption(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** How a page is scraped: the same for a single page and for a crawl. */
export interface PageFlags {
  readonly main?: boolean;
  readonly browser?: boolean;
  readonly waitFor?: number;
  readonly includeTags?: string[];
  readonly excludeTags?: string[];
  readonly header?: readonly string[];
  readonly cookie?: string;
  readonly country?: string;
}

export function addPageOptions(command: Command): Command {
  return command
    .option('--main', 'only the main content: no menus, footers or banners')
    .option('--browser', 'start with the browser')
    .option('--wait-for <ms>', 'wait after load, in the browser', countOption)
    .option('--include-tags <selector...>', 'keep only these elements (CSS)')
    .option('--exclude-tags <selector...>', 'remove these elements (CSS)')
    .option('--header <"name: value"...>', "request header, sent only to the page's own site")
    .option('--cookie <cookies>', "cookies, sent only to the page's own site: a=1; b=2")
    .option('--country <code>', 'country of the visitor, two letters');
}

type PageFields = Pick<
  Schemas['ScrapeRequest'],
  | 'onlyMainContent'
  | 'forceHeadless'
  | 'waitFor'
  | 'includeTags'
  | 'excludeTags'
  | 'headers'
  | 'cookies'
  | 'location'
>;

/** The fields of the API for these flags. */
export function pageFields(flags: PageFlags): PageFields {
  return {
    onlyMainContent: flags.main,
    forceHeadless: flags.browser,
    waitFor: flags.waitFor,
    includeTags: flags.includeTags,
    excludeTags: flags.excludeTags,
    headers: flags.header && headersOf(flags.header),
    cookies: flags.cookie,
    location: flags.country === undefined ? undefined : { country: flags.country },
  };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new CliError(`--header "${line}" has no colon`, 'Write it as "name: value".');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
