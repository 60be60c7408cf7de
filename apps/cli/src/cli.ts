import { Trawl } from '@app/client';
import type { Command } from 'commander';
import { findAccess, requireAccess, type AccessFlags } from './access/find-access.js';
import { CliError } from './cli-error.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { Terminal } from './output/terminal.js';

/** Options of every command. */
export interface GlobalFlags extends AccessFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** One run of the program. */
export class Cli {
  exitCode: ExitCode = EXIT.ok;

  constructor(
    readonly terminal: Terminal,
    /** Aborted by Ctrl-C with {@link Interrupted}. */
    readonly interrupt: AbortSignal,
  ) {}

  /** Aborted by Ctrl-C, or when the reader of the results is gone. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.interrupt, this.terminal.outputClosed]);
  }

  /** @throws CliError if the address or the key is missing or unusable */
  client(flags: GlobalFlags): Trawl {
    const { url, apiKey } = requireAccess(flags);
    if (flags.key !== undefined && flags.quiet !== true)
      this.terminal.say(
        'trawl: other users of this machine can see --key. Use trawl login or TRAWL_API_KEY.',
      );
    return openClient(url, apiKey);
  }
}

/** @throws CliError if address or key are unusable */
export function openClient(baseUrl: string, apiKey: string, retries?: number): Trawl {
  try {
    return new Trawl({ baseUrl, apiKey, retries });
  } catch (error) {
    throw new CliError((error as Error).message, 'Run trawl doctor to see where it comes from.');
  }
}

/** Address and key for a command that serves before they are needed; undefined where nothing is set. */
export function accessFor(program: Command): {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
} {
  const { url, apiKey } = findAccess(program.opts<GlobalFlags>());
  return { url: url?.value, apiKey: apiKey?.value };
}
