import type { Command, Argument, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A script that completes the program's command line in this shell. */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](completedCommand(program));
}

const SCRIPTS: Readonly<Record<Shell, (program: CompletedCommand) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** File names are those of bash itself, where the function has nothing. */
function bashScript(program: CompletedCommand): string {
  const commands = withSubcommands(program);
  const steps = commands.flatMap(({ path, subcommands }) =>
    subcommands.map((one) => `      "${path} ${one.name}") command="${one.path}" ;;`),
  );
  const taking = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value ? [{ patterns: flags.map((flag) => `"${path}:${flag}"`), value }] : [],
    ),
  );
  const open = taking.filter(({ value }) => value.choices.length === 0);
  const values = [
    ...taking
      .filter(({ value }) => value.choices.length > 0)
      .map(({ patterns, value }) => bashCase(patterns, compgen(value.choices.join(' ')))),
    bashCase(open.flatMap(({ patterns }) => patterns)),
  ];
  const words = commands.map(({ path, subcommands, argument, options }) => {
    const flags = options.flatMap((one) => one.flags.filter((flag) => flag.startsWith('--')));
    const names = [...subcommands.map((one) => one.name), ...(argument?.choices ?? [])];
    return `    "${path}") flags="${flags.join(' ')}" names="${names.join(' ')}" ;;`;
  });
  return `_trawl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" flags="" names="" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command \${COMP_WORDS[at]}" in
${steps.join('\n')}
    esac
  done
  case "$command:$prev" in
${values.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
  case "$cur" in
    -*) ${compgen('$flags')} ;;
    *) ${compgen('$names')} ;;
  esac
}
complete -o default -F _trawl trawl
`;
}

/** What follows an option; without words bash offers file names. */
function bashCase(patterns: readonly string[], reply = ''): string {
  return `    ${patterns.join('|')}) ${reply === '' ? '' : `${reply}; `}return ;;`;
}

function compgen(words: string): string {
  return `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`;
}

function zshScript(program: CompletedCommand): string {
  return `#compdef trawl
${withSubcommands(program).map(zshFunction).join('\n')}
if [ "$funcstack[1]" = "_trawl" ]; then
  _trawl "$@"
else
  compdef _trawl trawl
fi
`;
}

function zshFunction(command: CompletedCommand): string {
  const { options, subcommands, argument } = command;
  const specs = options.map(zshOption);
  if (subcommands.length === 0) {
    const rest = argument ? `'*:${zshText(argument.name)}:${zshAction(argument)}'` : '';
    return `${zshName(command)}() {\n  _arguments ${[...specs, rest].join(' \\\n    ')}\n}`;
  }
  const described = subcommands.map(
    ({ name, description }) => `'${zshText(name)}:${zshText(description)}'`,
  );
  const calls = subcommands.map((one) => `        ${one.name}) ${zshName(one)} ;;`);
  return `${zshName(command)}() {
  local curcontext="$curcontext" state line
  local -a names
  _arguments -C ${[...specs, `'1: :->name'`, `'*:: :->rest'`].join(' \\\n    ')}
  case "$state" in
    name)
      names=(${described.join(' \\\n        ')})
      _describe command names ;;
    rest)
      case "$words[1]" in
${calls.join('\n')}
      esac ;;
  esac
}`;
}

function zshName({ path }: CompletedCommand): string {
  return `_trawl${path === '' ? '' : `_${path.replaceAll(' ', '_')}`}`;
}

/** An option may come several times. */
function zshOption({ flags, description, value }: CompletedOption): string {
  const takes = value ? `:${zshText(value.name)}:${zshAction(value)}` : '';
  return flags.map((flag) => `'*${flag}[${zshText(description)}]${takes}'`).join(' ');
}

function zshAction({ choices, isFile }: CompletedValue): string {
  if (choices.length > 0) return `(${choices.join(' ')})`;
  return isFile ? '_files' : ' ';
}

function zshText(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&').replaceAll("'", String.raw`'\''`);
}

function fishScript(program: CompletedCommand): string {
  const [root, ...commands] = withSubcommands(program);
  const own = root ? fishLines(root, '__fish_use_subcommand') : [];
  const others = commands.flatMap((one) => fishLines(one, fishCondition(one.path.split(' '))));
  const noFiles = `complete -c trawl -n __fish_use_subcommand -f`;
  return `${[noFiles, ...own, ...others].join('\n')}\n`;
}

/** Whether the command line has all of these names. */
function fishCondition(names: readonly string[]): string {
  return names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
}

function fishLines(
  { options, subcommands, argument }: CompletedCommand,
  condition: string,
): readonly string[] {
  const start = `complete -c trawl -n '${condition}'`;
  const choices = argument?.choices ?? [];
  return [
    ...subcommands.map(
      ({ name, description }) => `${start} -a ${name} -d ${fishText(description)}`,
    ),
    ...(choices.length === 0 ? [] : [`${start} -f -a ${fishText(choices.join(' '))}`]),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return [start, ...names, ...fishValue(value), '-d', fishText(description)].join(' ');
    }),
  ];
}

function fishValue(value: CompletedValue | null): readonly string[] {
  if (value === null) return [];
  if (value.choices.length > 0) return ['-x', '-a', fishText(value.choices.join(' '))];
  return value.isFile ? ['-r', '-F'] : ['-x'];
}

function fishText(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/** An option as a shell completes it. */
interface CompletedOption {
  /** e.g. `-n` and `--limit` */
  readonly flags: readonly string[];
  readonly description: string;
  /** What it takes; null for a flag alone. */
  readonly value: CompletedValue | null;
}

interface CompletedValue {
  /** e.g. `count` */
  readonly name: string;
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** A command, as its own definition describes it. */
interface CompletedCommand {
  /** Below the program, such as `jobs cancel`; empty for the program. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** With those of the program. */
  readonly options: readonly CompletedOption[];
  readonly subcommands: readonly CompletedCommand[];
  /** Choices of its first argument. */
  readonly argument: CompletedValue | null;
}

/** Everything that can be completed, read from the commands and options of the program. */
function completedCommand(command: Command, path = ''): CompletedCommand {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const [argument] = command.registeredArguments;
  return {
    path,
    name: command.name(),
    description: command.description(),
    options: options.map(completedOption),
    subcommands: help
      .visibleCommands(command)
      .map((one) => completedCommand(one, `${path} ${one.name()}`.trim())),
    argument: argument === undefined ? null : valueOf(argument.name(), argument),
  };
}

/** The command itself and all below it. */
function withSubcommands(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.subcommands.flatMap(withSubcommands)];
}

function completedOption(option: Option): CompletedOption {
  const { short, long, flags, description } = option;
  const [, name = ''] = /[<[]([^<>[\]]+)[>\]]$/.exec(flags) ?? [];
  const takesValue = option.required || option.optional;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: takesValue ? valueOf(name, option) : null,
  };
}

function valueOf(name: string, { argChoices = [] }: Option | Argument): CompletedValue {
  return { name, choices: argChoices, isFile: name === 'file' || name === 'folder' };
}
