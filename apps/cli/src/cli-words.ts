import type { Command } from 'commander';

/** Names of the client's options in the words of the user: the flag, the variable or the file that set them. */
export interface AccessNames {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const FLAGS: AccessNames = { baseUrl: '--url', apiKey: '--key' };

/** Fields of the API whose option or argument has another name; every other one has that of its field. */
const OPTION_OF: Readonly<Record<string, string>> = {
  allowBackwardLinks: 'backward',
  cookies: 'cookie',
  excludePaths: 'exclude',
  forceHeadless: 'browser',
  formats: 'format',
  headers: 'header',
  ignoreRobotsTxt: 'ignoreRobots',
  includePaths: 'include',
  // Of another command than the one that names it.
  index: '--index',
  location: 'country',
  maxDepth: 'depth',
  onlyMainContent: 'main',
  q: 'query',
  scrapeResults: 'scrape',
  sources: 'source',
  urls: 'url',
};

/** Requests whose command has not the name of their path. */
const COMMAND_OF: Readonly<Record<string, string>> = {
  'GET /v1/jobs/:id': 'trawl jobs <id>',
  'GET /v1/crawl/:id': 'trawl jobs <id>',
  'DELETE /v1/crawl/:id': 'trawl jobs cancel <id>',
};

/** A field in backticks, perhaps with its value; an option of the client; a request. */
const NAMES =
  /`([\w.]{1,100})(?:: [^`]{0,100})?`|\b(baseUrl|apiKey)\b|\b(?:GET|POST|DELETE) \/v1\/(\w{1,30})(?:\/:id)?(?![\w/:])/g;
/** The group of the fields that a crawl has for its pages. */
const PAGE_FIELDS = /`scrapeOptions(?:`: `|\.)/g;

/** Texts of the API and of the client in the words of a command: its options, arguments and commands. */
export class CliWords {
  /** What the user types, by the name of the field. */
  private readonly typed = new Map<string, string>();

  constructor(
    private readonly command: Command | null,
    private readonly access: AccessNames = FLAGS,
  ) {
    for (const one of lineOf(command))
      // Of two options of a name the last stays: the one that says yes.
      for (const option of one.options.toSorted((a, b) => Number(b.negate) - Number(a.negate)))
        this.typed.set(option.attributeName(), option.long ?? option.flags);
    for (const argument of command?.registeredArguments ?? [])
      this.typed.set(argument.name(), `<${argument.name()}>`);
  }

  /** e.g. `trawl crawl` */
  get commandLine(): string {
    return lineOf(this.command)
      .map((one) => one.name())
      .join(' ');
  }

  of(text: string): string {
    return text
      .replace(PAGE_FIELDS, '`')
      .replace(
        NAMES,
        (whole: string, field?: string, setting?: keyof AccessNames, path?: string) => {
          if (setting !== undefined) return this.access[setting];
          if (field !== undefined) return this.fieldName(field) ?? whole;
          return COMMAND_OF[whole] ?? this.commandName(whole, path) ?? whole;
        },
      );
  }

  /** @param field such as `location.country` */
  private fieldName(field: string): string | undefined {
    const name = field.split('.').at(-1) ?? field;
    const option = OPTION_OF[name] ?? '';
    return this.typed.get(name) ?? (option.startsWith('--') ? option : this.typed.get(option));
  }

  private commandName(request: string, name: string | undefined): string | undefined {
    if (request.endsWith('/:id')) return undefined;
    const program = lineOf(this.command)[0];
    const isCommand = program?.commands.some((one) => one.name() === name);
    return isCommand ? `trawl ${name}` : undefined;
  }
}

/** The program, and its commands down to this one. */
function lineOf(command: Command | null): readonly Command[] {
  const line: Command[] = [];
  for (let one = command; one; one = one.parent) line.unshift(one);
  return line;
}
