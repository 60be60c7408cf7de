import { parseArgs } from 'node:util';
import { UsageProblem } from './admin-problem.js';

/** Every option of every command; the table of commands lists which command accepts which. */
const OPTIONS = {
  plan: { type: 'string' },
  email: { type: 'string' },
  label: { type: 'string' },
  tenant: { type: 'string' },
  limit: { type: 'string' },
  actor: { type: 'string' },
  'monthly-credits': { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'concurrent-requests': { type: 'string' },
  'overlap-seconds': { type: 'string' },
  pool: { type: 'string' },
  note: { type: 'string' },
  map: { type: 'string' },
  rejects: { type: 'string' },
  names: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
type TextOption = Exclude<keyof typeof OPTIONS, 'json' | 'help'>;
export type OptionName = Exclude<TextOption, 'actor'>;

/** The arguments and options of a command. */
export interface CommandShape {
  /** Names of its arguments, all required. */
  readonly args: readonly string[];
  readonly options: readonly OptionName[];
}

export interface CommandLine {
  readonly name: string;
  readonly args: readonly string[];
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
  readonly actor: string | undefined;
  readonly isJson: boolean;
}

/** Parses the command line into a command of the table, or 'help'. @throws UsageProblem */
export function parseCommand(
  argv: readonly string[],
  table: Readonly<Record<string, CommandShape>>,
): CommandLine | 'help' {
  const { values, positionals } = parseWords(argv);
  if (values.help === true || positionals.length === 0 || positionals[0] === 'help') return 'help';
  const name = [2, 1]
    .map((words) => positionals.slice(0, words).join(' '))
    .find((one) => Object.hasOwn(table, one));
  const shape = name === undefined ? undefined : table[name];
  if (name === undefined || !shape)
    throw new UsageProblem(`unknown command: ${shown(positionals)}`);
  const { json, help: _, actor, ...options } = values;
  const args = positionals.slice(name.split(' ').length);
  requireShape(name, shape, { args, options: Object.keys(options) });
  return { name, args, options, actor, isJson: json === true };
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    // All of its error codes are about the command line: an unknown option, or one without its value.
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

function requireShape(
  name: string,
  shape: CommandShape,
  given: { readonly args: readonly string[]; readonly options: readonly string[] },
): void {
  const missing = shape.args[given.args.length];
  if (missing !== undefined) throw new UsageProblem(`${name}: <${missing}> is missing`);
  const extra = given.args.slice(shape.args.length);
  if (extra.length > 0) throw new UsageProblem(`${name}: what is ${shown(extra)}?`);
  const unknown = given.options.find((option) => !shape.options.some((one) => one === option));
  if (unknown !== undefined) throw new UsageProblem(`${name} takes no --${unknown}`);
}

function shown(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(' ');
}

/** Parses a whole number; `name` as in the help. @throws UsageProblem */
export function wholeNumber(
  text: string,
  { name, min, max }: { readonly name: string; readonly min: number; readonly max: number },
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageProblem(`${name} must be a whole number from ${min} to ${max}`);
}
