import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Schemas } from '@app/client';
import { CliError } from '../cli-error.js';

/** Parser of options that are counts. */
export function countOption(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** Parser of an argument that is a URL: a value that was meant for an option before it is found here. */
export function urlArgument(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  const fix = text.includes('.')
    ? `Did you mean https://${text}?`
    : 'If it is a second value of an option, write the option again before it.';
  throw new InvalidArgumentError(`A URL begins with http:// or https://. ${fix}`);
}

/** The same for several URLs. */
export function urlArguments(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, urlArgument(text)];
}

/** Parser of an option that can be repeated. Each takes one value, so that a URL can follow it. */
export function repeated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

/** An option for some of the names: repeated, or separated by commas. */
export function namesOption(flags: string, description: string, names: readonly string[]): Option {
  const option = new Option(flags, description).argParser(
    (text: string, previous: readonly string[] = []): readonly string[] => {
      const given = text.split(',').map((name) => name.trim());
      const unknown = given.find((name) => !names.includes(name));
      if (unknown !== undefined)
        throw new InvalidArgumentError(`"${unknown}" is none of ${names.join(', ')}.`);
      return [...new Set([...previous, ...given])];
    },
  );
  option.argChoices = [...names];
  return option;
}

/** The text of an option that takes JSON: itself, or the file that it names. @throws CliError */
export async function readJsonText(flag: string, given: string): Promise<string> {
  if (/^\s*[[{]/.test(given)) return given;
  const file = given.replace(/^@/, '');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot read ${flag}: ${message}`, 'Name a file with JSON, or write the JSON itself.'); // prettier-ignore
  }
}

export const USE_NAMES = ['search', 'ai-input', 'ai-train'] as const;
export const SOURCE_NAMES = ['llms.txt', 'feeds'] as const;

/** What the caller wants of pages: their sites may refuse it. */
export function useOption(): Option {
  return new Option('--respect-use <use>', 'leave out what its site does not allow for this use').choices(USE_NAMES); // prettier-ignore
}

export function sourcesOption(): Option {
  return namesOption('--source <names>', 'also read llms.txt, or the feeds of the start page; repeatable', SOURCE_NAMES); // prettier-ignore
}

export const LINK_STYLE_NAMES = ['inlined', 'referenced', 'omitted'] as const;

/** How a page is scraped: the same for a single page and for a crawl. */
export interface PageFlags {
  readonly main?: boolean;
  readonly linkStyle?: (typeof LINK_STYLE_NAMES)[number];
  readonly maxTokens?: number;
  readonly browser?: boolean;
  readonly waitFor?: number;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly header?: readonly string[];
  readonly cookie?: string;
  readonly profile?: string;
  readonly country?: string;
}

export function addPageOptions(command: Command): Command {
  return command
    .option('--main', 'only the main content: no menus, footers or banners')
    .addOption(
      new Option(
        '--link-style <name>',
        'addresses of links: inlined, referenced at the end, omitted',
      ).choices(LINK_STYLE_NAMES),
    )
    .option('--max-tokens <n>', 'cut the Markdown to so many tokens', countOption)
    .option('--browser', 'start with the browser')
    .option('--wait-for <ms>', 'wait after load, in the browser', countOption)
    .option('--include-tags <selector>', 'keep only these elements (CSS); repeatable', repeated)
    .option('--exclude-tags <selector>', 'remove these elements (CSS); repeatable', repeated)
    .option(
      '--header <header>',
      'request header "name: value", sent only to the page\'s own site; repeatable',
      repeated,
    )
    .option('--cookie <cookies>', "cookies, sent only to the page's own site: a=1; b=2")
    .option('--profile <name>', 'saved login of the site')
    .option('--country <code>', 'country of the visitor, two letters');
}

type PageFields = Pick<
  Schemas['ScrapeRequest'],
  | 'onlyMainContent'
  | 'linkStyle'
  | 'maxTokens'
  | 'forceHeadless'
  | 'waitFor'
  | 'includeTags'
  | 'excludeTags'
  | 'headers'
  | 'cookies'
  | 'profile'
  | 'location'
>;

/** The fields of the API for these flags. */
export function pageFields(flags: PageFlags): PageFields {
  return {
    onlyMainContent: flags.main,
    linkStyle: flags.linkStyle,
    maxTokens: flags.maxTokens,
    forceHeadless: flags.browser,
    waitFor: flags.waitFor,
    includeTags: flags.includeTags && [...flags.includeTags],
    excludeTags: flags.excludeTags && [...flags.excludeTags],
    headers: flags.header && headersOf(flags.header),
    cookies: flags.cookie,
    profile: flags.profile,
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
