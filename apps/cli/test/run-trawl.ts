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
}

const ACCESS = { TRAWL_URL: 'http://trawl.example', TRAWL_API_KEY: 'key1', TERM: 'xterm' };

/** Runs a command line in this process, against a scripted API unless another is given. */
export async function runTrawl(
  args: readonly string[],
  { routes = {}, shown, env = {}, send }: TrawlRunOptions = {},
): Promise<TrawlRun> {
  const { terminal, output, errors } = captureTerminal(shown);
  const api = new ScriptedApi(routes);
  const before = process.env;
  process.env = { ...ACCESS, ...env };
  try {
    const interrupt = new AbortController().signal;
    const code = await runCli(args, { terminal, interrupt, send: send ?? api.send });
    return { code, out: output(), err: errors(), api };
  } finally {
    process.env = before;
  }
}
