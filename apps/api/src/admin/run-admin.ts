import type { Store } from '@app/database';
import { ACT_COMMANDS } from './act-commands.js';
import { AdminProblem, UsageProblem } from './admin-problem.js';
import type { Command, Report } from './command.js';
import { COMPANY_COMMANDS } from './company-commands.js';
import { CREDIT_COMMANDS } from './credit-commands.js';
import { KEY_COMMANDS } from './key-commands.js';
import { parseCommand, type CommandLine } from './parse-command.js';
import { SIGN_IN_COMMANDS } from './sign-in-commands.js';
import { TENANT_COMMANDS } from './tenant-commands.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  ...TENANT_COMMANDS,
  ...CREDIT_COMMANDS,
  ...KEY_COMMANDS,
  ...SIGN_IN_COMMANDS,
  ...COMPANY_COMMANDS,
  ...ACT_COMMANDS,
};

export interface AdminDoors {
  /** Opens the database when a command needs it. @throws AdminProblem that says what to do */
  open(): Promise<{ readonly store: Store; close(): Promise<void> }>;
  /** Who does it, unless `--actor` says so. */
  readonly actor: string;
  write(text: string): void;
  complain(text: string): void;
}

/**
 * Runs one command of an operator. Returns the exit code: 0 done, 1 not done, 2 for a command line that
 * is wrong.
 */
export async function runAdmin(argv: readonly string[], doors: AdminDoors): Promise<number> {
  try {
    const line = parseCommand(argv, COMMANDS);
    if (line === 'help') doors.write(helpText());
    else doors.write(reportText(await runOne(line, doors), line.isJson));
    return 0;
  } catch (error) {
    doors.complain(complaintOf(error));
    return error instanceof UsageProblem ? 2 : 1;
  }
}

async function runOne(line: CommandLine, doors: AdminDoors): Promise<Report> {
  const command = COMMANDS[line.name];
  if (!command) throw new UsageProblem(`unknown command: ${line.name}`);
  const { store, close } = await doors.open();
  try {
    return await command.run({ store, actor: line.actor ?? doors.actor }, line);
  } finally {
    await close();
  }
}

function reportText({ value, text }: Report, isJson: boolean): string {
  return `${isJson ? JSON.stringify(value, null, 2) : text}\n`;
}

function complaintOf(error: unknown): string {
  if (error instanceof UsageProblem)
    return `${error.message}\nnpm run admin -- help shows every command\n`;
  if (error instanceof AdminProblem) return `${error.message}\n`;
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}

function helpText(): string {
  const rows = Object.entries(COMMANDS).map(
    ([name, { args, help }]) => [[name, ...args.map((arg) => `<${arg}>`)].join(' '), help] as const,
  );
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return [
    'npm run admin -- <command> [options]',
    '',
    ...rows.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`),
    '',
    '  --json   answers as JSON (use npm run --silent)',
    '  --actor  who does it, as the log of acts names it; default: the user of this system',
    '',
    'Works on DATABASE_URL, else on the embedded database in DATA_DIR, whether the service runs or not.',
    '',
  ].join('\n');
}
