import type { Database } from '@app/database';
import { ACT_COMMANDS } from './act-commands.js';
import { AdminProblem, UsageProblem } from './admin-problem.js';
import type { Command, Report } from './command.js';
import { CREDIT_COMMANDS } from './credit-commands.js';
import { GRAPH_COMMANDS } from './graph-commands.js';
import { KEY_COMMANDS } from './key-commands.js';
import { parseCommand, type CommandLine } from './parse-command.js';
import { SCRAPER_COMMANDS } from './scraper-commands.js';
import { SIGN_IN_COMMANDS } from './sign-in-commands.js';
import { TENANT_COMMANDS } from './tenant-commands.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  ...TENANT_COMMANDS,
  ...CREDIT_COMMANDS,
  ...KEY_COMMANDS,
  ...SIGN_IN_COMMANDS,
  ...GRAPH_COMMANDS,
  ...SCRAPER_COMMANDS,
  ...ACT_COMMANDS,
};

export interface AdminConsole {
  /** Opens the database once a command needs it. @throws AdminProblem that says what to do */
  open(): Promise<{ readonly database: Database; close(): Promise<void> }>;
  /** The operator's name, unless `--actor` is given. */
  readonly actor: string;
  write(text: string): void;
  complain(text: string): void;
}

/**
 * Runs one operator command. Returns the exit code: 0 done, 1 failed, 2 for an invalid command
 * line.
 */
export async function runAdmin(argv: readonly string[], console: AdminConsole): Promise<number> {
  try {
    const line = parseCommand(argv, COMMANDS);
    if (line === 'help') console.write(helpText());
    else console.write(reportText(await runOne(line, console), line.isJson));
    return 0;
  } catch (error) {
    console.complain(complaintOf(error));
    return error instanceof UsageProblem ? 2 : 1;
  }
}

async function runOne(line: CommandLine, console: AdminConsole): Promise<Report> {
  const command = COMMANDS[line.name];
  if (!command) throw new UsageProblem(`unknown command: ${line.name}`);
  const { database, close } = await console.open();
  try {
    return await command.run(
      {
        database,
        actor: line.actor ?? console.actor,
        say: (text) => console.complain(`${text}\n`),
      },
      line,
    );
  } finally {
    await close();
  }
}

function reportText({ value, text }: Report, isJson: boolean): string {
  return `${isJson ? JSON.stringify(value, null, 2) : text}\n`;
}

function complaintOf(error: unknown): string {
  if (error instanceof UsageProblem)
    return `${error.message}\nnpm run admin -- help lists every command\n`;
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
    '  --json   prints JSON (use npm run --silent)',
    '  --actor  the operator recorded in the audit log; default: the current user',
    '',
    'Works on DATABASE_URL, else on the embedded database in DATA_DIR, whether or not the service runs.',
    '',
  ].join('\n');
}
