import type { Database } from '@app/database';
import type { CommandLine, CommandShape } from './parse-command.js';

export interface AdminContext {
  readonly database: Database;
  /** The operator, as recorded in the audit log. */
  readonly actor: string;
  /** Progress of a command that takes long. */
  say(text: string): void;
}

/** A command's result: for programs, and for people. */
export interface Report {
  readonly value: unknown;
  readonly text: string;
}

export type Input = Pick<CommandLine, 'args' | 'options'>;

export interface Command extends CommandShape {
  /** One line of the help. */
  readonly help: string;
  /** @throws AdminProblem | UsageProblem */
  run(context: AdminContext, input: Input): Promise<Report>;
}
