import { Trawl, type TrawlOptions } from '@app/client';
import type { Command } from 'commander';
import { findAccess, requireAccess, type Access, type AccessFlags } from './access/find-access.js';
import { CliError, describeError, type DescribedError } from './cli-error.js';
import { CliWords, type AccessNames } from './cli-words.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { Terminal } from './output/terminal.js';
import { whileWaiting } from './progress/waiting.js';

/** Options of every command. */
export interface GlobalFlags extends AccessFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export interface CliSetting {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C with {@link Interrupted}. */
  readonly interrupt: AbortSignal;
  /** Sends requests. @default the global fetch */
  readonly send?: TrawlOptions['fetch'];
  /** Of a request that fails. @default those of the client */
  readonly retries?: number;
}

/** One run of the program. */
export class Cli {
  exitCode: ExitCode = EXIT.ok;
  /** The command that runs; null while the command line is parsed. */
  command: Command | null = null;
  private accessNames: AccessNames | undefined;

  constructor(private readonly setting: CliSetting) {}

  get terminal(): Terminal {
    return this.setting.terminal;
  }

  get interrupt(): AbortSignal {
    return this.setting.interrupt;
  }

  /** Aborted by Ctrl-C, or when the reader of the results is gone. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.interrupt, this.terminal.outputClosed]);
  }

  /** @throws CliError if the address or the key is missing or unusable */
  client(flags: GlobalFlags): Trawl {
    const access = requireAccess(flags);
    if (flags.key !== undefined && flags.quiet !== true)
      this.terminal.say(
        'trawl: other users of this machine can see --key. Use trawl login or TRAWL_API_KEY.',
      );
    return this.open(access);
  }

  /** @throws CliError if address or key are unusable */
  open({ url, apiKey }: Access, retries = this.setting.retries): Trawl {
    this.accessNames = { baseUrl: url.name, apiKey: apiKey.name };
    try {
      const { send: fetch } = this.setting;
      return new Trawl({ baseUrl: url.value, apiKey: apiKey.value, retries, fetch });
    } catch (error) {
      throw new CliError(
        this.words.of((error as Error).message),
        'Correct it, or run trawl login.',
      );
    }
  }

  /** A request for a file of the service, without the key: its address is signed. */
  async download(url: string): Promise<Response> {
    const { send = fetch } = this.setting;
    return send(url, { signal: this.signal });
  }

  /** The result of a request; on a terminal the user sees that it runs. @param what such as the URL */
  wait<T>(what: string, { quiet }: GlobalFlags, request: Promise<T>): Promise<T> {
    return quiet ? request : whileWaiting(this.terminal, what, request);
  }

  /** In the words of the command that runs. */
  describe(error: unknown): DescribedError {
    return describeError(error, this.words);
  }

  private get words(): CliWords {
    return new CliWords(this.command, this.accessNames);
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
