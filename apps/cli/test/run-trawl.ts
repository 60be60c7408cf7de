import { captureTerminal } from './captured-terminal.js';
import { ScriptedApi, type ScriptedRoute } from './scripted-api.js';
import type { ExitCode } from '../src/exit-codes.js';
import { runCli } from '../src/run-cli.js';

/** How a command line ended, and the requests that it sent. */
export interface TrawlRun {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  readonly api: ScriptedApi;
}

export interface TrawlRunOptions {
  readonly routes?: Readonly<Record<string, ScriptedRoute>>;
  /** Streams that are terminals. */
  readonly shown?: { readonly output?: boolean; readonly errors?: boolean };
  /** Variables beside address and key. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default the scripted API */
  readonly send?: typeof fetch;
  /** Of a request that fails. @default those of the client */
  readonly retries?: number;
  /** In which it runs. @default that of this process */
  readonly folder?: string;
  /** What Ctrl-C does. @default never */
  readonly interrupt?: AbortSignal;
}

const ACCESS = { TRAWL_URL: 'http://trawl.example', TRAWL_API_KEY: 'key1', TERM: 'xterm' };

/** Runs a command line in this process, against a scripted API unless another is given. */
export async function runTrawl(
  args: readonly string[],
  options: TrawlRunOptions = {},
): Promise<TrawlRun> {
  const { routes = {}, shown, env = {}, send, folder = process.cwd() } = options;
  const { retries, interrupt = new AbortController().signal } = options;
  const { terminal, output, errors } = captureTerminal(shown);
  const api = new ScriptedApi(routes);
  const before = process.env;
  const folderBefore = process.cwd();
  process.env = { ...ACCESS, ...env };
  process.chdir(folder);
  try {
    const code = await runCli(args, { terminal, interrupt, retries, send: send ?? api.send });
    return { code, out: output(), err: errors(), api };
  } finally {
    process.env = before;
    process.chdir(folderBefore);
  }
}
