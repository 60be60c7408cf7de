import type { Argument, Command, Option } from 'commander';

/** An option as a shell completes it. */
export interface CompletedOption {
  /** e.g. `-n` and `--limit` */
  readonly flags: readonly string[];
  readonly description: string;
  /** What it takes; null for a flag alone. */
  readonly value: CompletedValue | null;
}

export interface CompletedValue {
  /** e.g. `count` */
  readonly name: string;
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** A command, as its own definition describes it. */
export interface CompletedCommand {
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
export function completedCommand(command: Command, path = ''): CompletedCommand {
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
export function withSubcommands(command: CompletedCommand): readonly CompletedCommand[] {
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
